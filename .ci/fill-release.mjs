// Fills what only the forge knows: repository, homepage and bugs of package.json, and the links of the README, which
// are relative in the repository and must be absolute on npm. Run by the release workflow in its own clone.
import { readFileSync, writeFileSync } from 'node:fs';
import { cwd, env, exit, stderr } from 'node:process';

/** Files that browsers show as what they are; everything else is a page of the forge. */
const RAW = /\.(?:svg|png)$/;

/** The manifest with the addresses of a release. */
function fillManifest(manifest, { server, repository, docs }) {
  const address = `${server}/${repository}`;
  return {
    ...manifest,
    repository: { type: 'git', url: `git+${address}.git` },
    homepage: docs === undefined ? `${address}#readme` : `${docs.replace(/\/+$/, '')}/`,
    bugs: { url: `${address}/issues` },
  };
}

/** The README with every relative link and image at the tag of a release. Code is left alone. */
function absoluteLinks(readme, { server, repository, tag }) {
  const parts = readme.split(/(^```[^]*?^```$|`[^`\n]*`)/m);
  return parts
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(/\]\((?!https?:|#|mailto:)(?:\.\/)?([^)\s]+)\)/g, (_, path) => {
            const kind = RAW.test(path) ? 'raw' : 'blob';
            return `](${server}/${repository}/${kind}/${tag}/${path})`;
          }),
    )
    .join('');
}

function main() {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_REF_NAME, DOCS_ADDRESS } = env;
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_REF_NAME) {
    stderr.write('GITHUB_SERVER_URL, GITHUB_REPOSITORY and GITHUB_REF_NAME must be set.\n');
    return 1;
  }
  if (GITHUB_REF_NAME !== `v${manifest.version}`) {
    stderr.write(
      `The tag is ${GITHUB_REF_NAME}, and the version in package.json is ${manifest.version}.\n`,
    );
    return 1;
  }
  const forge = { server: GITHUB_SERVER_URL, repository: GITHUB_REPOSITORY, tag: GITHUB_REF_NAME };
  const filled = fillManifest(manifest, { ...forge, docs: DOCS_ADDRESS || undefined });
  writeFileSync('package.json', `${JSON.stringify(filled, null, 2)}\n`);
  writeFileSync('README.md', absoluteLinks(readFileSync('README.md', 'utf8'), forge));
  stderr.write(`Filled the addresses of ${GITHUB_REPOSITORY} in ${cwd()}.\n`);
  return 0;
}

exit(main());
