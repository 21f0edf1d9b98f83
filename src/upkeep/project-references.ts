import { isIconCatalogError, type IconCatalogError } from '../errors.ts';
import { isSetSpecifier, parseSet } from '../request/icon-set.ts';
import { parseImage } from '../request/parse-image.ts';
import { parseRequest } from '../request/parse-request.ts';
import { isCreditsSpecifier } from '../request/specifier.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { IconReference, ScanWarning, SourcePlace, UnknownReference } from '../scan/found.ts';
import { scanProject } from '../scan/scan-project.ts';
import type { IconRequest } from '../types.ts';
import type { WantedIcon } from './pin-icons.ts';

export { NothingNamed } from '../scan/list-files.ts';

/** An icon that sources ask for, in one form. */
export interface UsedIcon {
  request: IconRequest;
  /** As the first reference has it. */
  specifier: string;
  /** Where it is referred to, in the order of the files. */
  places: SourcePlace[];
}

/** What a project's sources say about icons. */
export interface ProjectReferences {
  files: number;
  /** How many references there are. */
  count: number;
  icons: UsedIcon[];
  /** Imports of scripts, each spelling once. */
  imports: string[];
  /** References that no build could use, each with its place. */
  invalid: IconCatalogError[];
  unknown: UnknownReference[];
  warnings: ScanWarning[];
}

/** @throws NothingNamed for a path that is not there */
export async function readReferences(
  options: ResolvedOptions,
  given: Parameters<typeof scanProject>[1] = {},
): Promise<ProjectReferences> {
  const { files, references, unknown, warnings } = await scanProject(options.root, given);
  const byCanonical = new Map<string, UsedIcon>();
  const imports = new Set<string>();
  const invalid: IconCatalogError[] = [];
  for (const reference of references) {
    if (isCreditsSpecifier(reference.specifier)) continue;
    try {
      for (const specifier of membersOf(reference)) {
        const request = readAs(reference, specifier, options);
        const used = byCanonical.get(request.canonical);
        const { file, line, column } = reference;
        if (used === undefined)
          byCanonical.set(request.canonical, {
            request,
            specifier,
            places: [{ file, line, column }],
          });
        else used.places.push({ file, line, column });
      }
      if (reference.place === 'script') imports.add(reference.specifier);
    } catch (error) {
      if (!isIconCatalogError(error)) throw error;
      invalid.push(error);
    }
  }
  return {
    files,
    count: references.length,
    icons: [...byCanonical.values()],
    imports: [...imports],
    invalid,
    unknown,
    warnings,
  };
}

/** Every icon, for the place where it is asked for first. */
export function wantedIcons({ icons }: Pick<ProjectReferences, 'icons'>): WantedIcon[] {
  return icons.map(({ request, places: [first] }) => ({
    request,
    importer: first && placeText(first),
  }));
}

/** Style sheets and pages show images; what is no image may be one of the other forms that a page can hold. */
function readAs(
  reference: IconReference,
  specifier: string,
  options: ResolvedOptions,
): IconRequest {
  const place = placeText(reference);
  if (reference.place === 'script') return parseRequest(specifier, options, place);
  try {
    return parseImage(specifier, options, place).request;
  } catch (error) {
    try {
      return parseRequest(specifier, options, place);
    } catch {
      throw error;
    }
  }
}

function membersOf(reference: IconReference): string[] {
  const { specifier } = reference;
  if (!isSetSpecifier(specifier)) return [specifier];
  return parseSet(specifier, placeText(reference)).members.map((member) => member.specifier);
}

/** `src/app.ts:3:17`, which terminals and editors open. */
export function placeText({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}
