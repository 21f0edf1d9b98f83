import os from 'node:os';

// For each build webpack starts a thread that loads its minifier again, if the machine has more than one core.
os.availableParallelism = () => 1;

/** As their command lines end: the report on standard output, and an exit code. */
export function runCompiler(compiler) {
  compiler.run((error, stats) => {
    if (error) throw error;
    process.stdout.write(`${stats.toString({ preset: 'errors-warnings', colors: false })}\n`);
    if (stats.hasErrors()) process.exitCode = 1;
    compiler.close((failure) => {
      if (failure) throw failure;
    });
  });
}
