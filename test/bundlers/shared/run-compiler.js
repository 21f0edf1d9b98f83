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
