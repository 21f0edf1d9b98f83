// Prints the failures of a vitest JSON report, briefly: the end of a log is what is kept of it.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const LINES_OF_A_MESSAGE = 12;

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const plain = (text) => text.replaceAll(/\u001B\[[0-9;]*m/g, '');
const brief = (text) => plain(text).split('\n').slice(0, LINES_OF_A_MESSAGE).join('\n    ');

for (const { name, status, message, assertionResults } of report.testResults) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const file = relative(process.cwd(), name);
  if (status === 'failed' && failed.length === 0) {
    process.stdout.write(`\n✗ ${file}\n    ${brief(message ?? '')}\n`);
  }
  for (const { fullName, failureMessages } of failed) {
    process.stdout.write(
      `\n✗ ${file} > ${fullName}\n    ${failureMessages.map(brief).join('\n    ')}\n`,
    );
  }
}
