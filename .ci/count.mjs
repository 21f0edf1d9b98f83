// Prints `<passed> <failed>` of a vitest JSON report; a file that could not run counts as a failure.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const brokenFiles = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
).length;
process.stdout.write(`${report.numPassedTests} ${report.numFailedTests + brokenFiles}\n`);
