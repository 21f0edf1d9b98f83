// Loaded before a command: reports how much CPU time its process had used at its first output and at its end.
const { writeSync } = require('node:fs');
const process = require('node:process');

const milliseconds = ({ user, system }) => (user + system) / 1000;
let first;
for (const stream of [process.stdout, process.stderr]) {
  const { write } = stream;
  stream.write = (...given) => {
    first ??= milliseconds(process.cpuUsage());
    return write.apply(stream, given);
  };
}
process.on('exit', () => {
  const all = milliseconds(process.cpuUsage());
  writeSync(3, JSON.stringify({ first: first ?? all, all }));
});
