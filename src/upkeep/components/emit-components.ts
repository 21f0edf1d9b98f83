import { createManifest } from '../../attribution/create-manifest.ts';
import type { Framework } from '../../component.ts';
import { licenseTexts } from '../../corridor/describe-icon.ts';
import { loadIcon } from '../../corridor/load-icon.ts';
import { IconCatalogError, isIconCatalogError } from '../../errors.ts';
import { nameOfId } from '../../request/icon-name.ts';
import { parseRequest } from '../../request/parse-request.ts';
import { ICON_PREFIX } from '../../request/specifier.ts';
import type { ResolvedOptions } from '../../resolve-options.ts';
import type { Credit, IconRequest } from '../../types.ts';
import { GENERATOR } from '../../version.ts';
import type { Upkeep } from '../open-upkeep.ts';
import { componentFiles, type WrittenIcon } from './component-files.ts';
import { componentName } from './component-name.ts';

/** An icon that becomes a component; without an alias or a name of its own it is named after what the catalog calls it. */
export interface WantedComponent {
  request: IconRequest;
  alias: string | undefined;
}

/**
 * An icon as it is written on a command line: `house`, `123`, `icon:house?color=f00`.
 *
 * @throws IconCatalogError SPECIFIER_INVALID, also for a form that is no component
 */
export function wantedComponent(written: string, options: ResolvedOptions): WantedComponent {
  const specifier = written.startsWith(ICON_PREFIX) ? written : `${ICON_PREFIX}${written}`;
  const request = parseRequest(specifier, options);
  const [reference = ''] = specifier.slice(ICON_PREFIX.length).split('?');
  const isNamed = Object.hasOwn(options.aliases, reference) || nameOfId(request.id) === reference;
  if (request.as === 'component') return { request, alias: isNamed ? reference : undefined };
  throw new IconCatalogError('SPECIFIER_INVALID', {
    message: `\`${specifier}\` asks for ${request.filetype === 'png' ? 'a PNG' : `\`as=${request.as}\``}, and only svg icons become components.`,
    remedy: 'Leave `as` and `filetype` out.',
    icon: request.id,
  });
}

export interface EmittedComponents {
  /** Text by file name. */
  files: Map<string, string>;
  icons: { name: string; credit: Credit }[];
  failed: IconCatalogError[];
}

/** @throws IconCatalogError SPECIFIER_INVALID where two icons would have one name */
export async function emitComponents(
  wanted: readonly WantedComponent[],
  { options, corridor }: Upkeep,
  { framework, advance }: { framework: Framework; advance: () => void },
): Promise<EmittedComponents> {
  const loaded: (WrittenIcon & { credit: Credit; written: string })[] = [];
  const failed: IconCatalogError[] = [];
  await Promise.all(
    wanted.map(async ({ request, alias }) => {
      try {
        const { module, credit, icon } = await loadIcon(request, { corridor, options });
        if (module.kind !== 'code' || module.parts === undefined)
          throw new TypeError('a component was loaded as something else');
        const name = componentName(alias ?? `${icon.term} ${icon.id}`);
        loaded.push({ name, parts: module.parts, credit, written: alias ?? icon.id });
      } catch (error) {
        if (!isIconCatalogError(error)) throw error;
        failed.push(error);
      } finally {
        advance();
      }
    }),
  );
  await corridor.flush();
  const icons = loaded.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  refuseTwins(icons);
  const manifest = createManifest({
    credits: icons.map(({ name: component, credit }) => ({
      credit,
      usedIn: [{ build: 'emit', file: `${component}.js`, kind: 'inline-js' }],
    })),
    builds: [{ id: 'emit', bundler: 'icon-catalog', consumer: 'client', precision: 'requested' }],
    complete: failed.length === 0,
    catalog: await corridor.catalog(),
    generator: GENERATOR,
    texts: await licenseTexts(
      icons.map(({ credit }) => credit),
      corridor.pins,
    ),
  });
  return { files: componentFiles(icons, { framework, manifest }), icons, failed };
}

/** Names that differ in case only are one file on many machines. */
function refuseTwins(icons: readonly { name: string; written: string }[]): void {
  const seen = new Map<string, { name: string; written: string }>();
  for (const icon of icons) {
    const other = seen.get(icon.name.toLowerCase());
    if (other === undefined) seen.set(icon.name.toLowerCase(), icon);
    else
      throw new IconCatalogError('SPECIFIER_INVALID', {
        message: `\`${other.written}\` and \`${icon.written}\` would both become a component named \`${icon.name}\`.`,
        remedy: 'Give one of them another name in `aliases`, or leave one out.',
      });
  }
}
