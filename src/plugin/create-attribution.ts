import { createManifest } from '../attribution/create-manifest.ts';
import { renderHtml } from '../attribution/render-html.ts';
import { renderJson } from '../attribution/render-json.ts';
import { renderMarkdown } from '../attribution/render-markdown.ts';
import type { Corridor } from '../corridor/create-corridor.ts';
import { creditOf } from '../corridor/describe-icon.ts';
import { creditOfParts, type FinishedModule } from '../corridor/finished-modules.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { Credit, IconRequest, IconUsage, Manifest, ManifestBuild } from '../types.ts';
import { GENERATOR } from '../version.ts';
import type { FoundUsage, OutputFile } from './session-types.ts';

export interface AttributionPorts {
  request(id: string): IconRequest;
  context(): { corridor: Corridor; options: ResolvedOptions };
}

export interface Attribution {
  /** One credit a distinct icon, in the manifest's order. */
  credits(ids: Iterable<string>): Promise<Credit[]>;
  files(
    usages: readonly FoundUsage[],
    build: ManifestBuild,
    complete: boolean,
  ): Promise<OutputFile[]>;
}

interface Shipped {
  credit: Credit;
  /** Drawn only where it is shown: once an icon, however many variants of it ship. */
  draw(): Promise<string>;
}

/** Joins what the bundler ships with what the caches know of it; works also where a warm bundler cache never called `load`. */
export function createAttribution({ request, context }: AttributionPorts): Attribution {
  async function shipped(id: string): Promise<Shipped | undefined> {
    const wanted = request(id);
    // A module of bare metadata ships no artwork.
    if (wanted.as === 'meta') return undefined;
    const { corridor, options } = context();
    const kept = (await corridor.finished()).get(wanted);
    if (kept !== undefined) {
      return {
        credit: creditOfParts(kept.parts),
        draw: async () => plainMarkup(wanted, kept) ?? drawn(wanted, await corridor.source(wanted)),
      };
    }
    const [source, { siteUrl }] = await Promise.all([corridor.source(wanted), corridor.catalog()]);
    if (source.kind === 'meta') return undefined;
    return {
      credit: creditOf(wanted, source, { options, siteUrl }),
      draw: async () => drawn(wanted, source),
    };
  }

  async function manifestOf(
    usages: readonly FoundUsage[],
    build: ManifestBuild,
    complete: boolean,
  ): Promise<{ manifest: Manifest; artwork: Map<string, string> }> {
    const places = new Map<string, IconUsage[]>();
    for (const { id, file, kind } of usages) {
      const list = places.get(id) ?? [];
      list.push({ build: build.id, file, kind });
      places.set(id, list);
    }
    const artwork = new Map<string, string>();
    const credits: { credit: Credit; usedIn: IconUsage[] }[] = [];
    // Sorted, so that neither the bundler's order nor ours shows in the files.
    for (const id of [...places.keys()].toSorted()) {
      const found = await shipped(id);
      if (found === undefined) continue;
      credits.push({ credit: found.credit, usedIn: places.get(id) ?? [] });
      if (!artwork.has(found.credit.id)) artwork.set(found.credit.id, await found.draw());
    }
    const { name, siteUrl } = await context().corridor.catalog();
    const catalog = { name, siteUrl };
    return {
      manifest: createManifest({
        credits,
        builds: [build],
        complete,
        catalog,
        generator: GENERATOR,
      }),
      artwork,
    };
  }

  return {
    async credits(ids) {
      const build: ManifestBuild = {
        id: 'build',
        bundler: '',
        consumer: 'client',
        precision: 'module-graph',
      };
      const usages = [...ids].map((id) => ({ id, file: 'icon', kind: 'inline-js' as const }));
      const { manifest } = await manifestOf(usages, build, true);
      return manifest.icons.map(({ usedIn: _usedIn, ...credit }) => credit);
    },
    async files(usages, build, complete) {
      const { attribution } = context().options;
      if (attribution === false) return [];
      const { manifest, artwork } = await manifestOf(usages, build, complete);
      const files: [string | false, () => string][] = [
        [attribution.json, () => renderJson(manifest)],
        [attribution.html, () => renderHtml(manifest, artwork)],
        [attribution.markdown, () => renderMarkdown(manifest)],
      ];
      return files.flatMap(([fileName, render]) =>
        fileName === false ? [] : [{ fileName, source: render() }],
      );
    },
  };
}

/** Markup of a module that is drawn as the credits page draws it. */
function plainMarkup(
  { as, color, size, title, class: className }: IconRequest,
  { parts }: FinishedModule,
): string | undefined {
  const isPlain =
    as === 'svg' &&
    color === 'currentColor' &&
    size === '1em' &&
    title === null &&
    className === null;
  return isPlain ? (JSON.parse(parts.value) as string) : undefined;
}

function drawn(request: IconRequest, source: Awaited<ReturnType<Corridor['source']>>): string {
  if (source.kind === 'svg') {
    return renderSvg(source.master, {
      id: request.id,
      color: 'currentColor',
      size: '1em',
      title: null,
      class: null,
    });
  }
  if (source.kind === 'meta') return '';
  return `data:image/png;base64,${Buffer.from(source.bytes).toString('base64')}`;
}
