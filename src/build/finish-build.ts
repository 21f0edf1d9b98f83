import type { ManifestBuild } from '../types.ts';
import { findLeftover } from './failures.ts';
import type { ReportOptions, Session } from './session-interface.ts';
import type { FoundUsage, OutputFile, TextOutput } from './session-types.ts';

/** What only the bundler knows about the output of a build that is over. */
export interface BuildOutput<File = OutputFile> {
  build: ManifestBuild;
  report?: Omit<ReportOptions, 'outputs'>;
  /** Where each icon is; symbols are in the sprite file. Called first: it may still change the output. */
  usages(): readonly FoundUsage[] | Promise<readonly FoundUsage[]>;
  /** The finished style sheets. Other files may be among them. */
  styles?(): readonly TextOutput[] | Promise<readonly TextOutput[]>;
  /** Every file of the output. */
  files?: ReportOptions['outputs'];
  /**
   * Puts the attribution files into the output.
   *
   * @returns their names for the summary
   */
  write(files: readonly File[]): readonly string[] | Promise<readonly string[]>;
  /** Removes what the bundler has already written. Absent if it writes nothing before the build is finished. */
  remove?(): Promise<void>;
  /** How the session ends. */
  end?: Parameters<Session['end']>[1];
}

type CreditSession<File> = {
  attributionFiles(...of: Parameters<Session['attributionFiles']>): Promise<File[]>;
};

/**
 * The end of a build that did not fail before: nothing that holds a placeholder stays in the output, the attribution files
 * are in it, and the session ends once.
 *
 * @returns the files of credits that were written, absolute
 * @throws IconCatalogError for icons that the build may not have, and for those that cannot be credited
 */
export async function finishBuild(session: Session, output: BuildOutput): Promise<string[]> {
  await failIfMissing(session, () => output.remove?.());
  let shown: readonly string[];
  let settled: string[];
  try {
    shown = await creditOutput(session, output);
    settled = await session.settle();
  } catch (error) {
    await abandonBuild(session);
    throw error;
  }
  await session.end(shown, output.end);
  return settled;
}

/**
 * The parts of `finishBuild` for bundlers that give each of them a hook of its own.
 *
 * @param remove removes what was written: a folder with placeholders must not pass for a build
 */
export async function failIfMissing(
  session: Pick<Session, 'missing' | 'end'>,
  remove?: () => Promise<void> | undefined,
): Promise<void> {
  const missing = session.missing();
  if (missing === undefined) return;
  await remove?.();
  await abandonBuild(session);
  throw missing;
}

/** Makes the attribution files and gives them to the bundler. @returns their names for the summary */
export async function creditOutput<File>(
  session: CreditSession<File>,
  { build, report, usages, styles, files, write }: BuildOutput<File>,
): Promise<readonly string[]> {
  const found = await usages();
  const leftover = findLeftover((await styles?.()) ?? []);
  if (leftover !== undefined) throw leftover;
  const options = { ...report, ...(files !== undefined && { outputs: files }) };
  return write(await session.attributionFiles(found, build, options));
}

/** The build failed. What was fetched before the error is kept, so that the next build does not pay for it again. */
export function abandonBuild(session: Pick<Session, 'end'>): Promise<void> {
  return session.end([], { quiet: true });
}
