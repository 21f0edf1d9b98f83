import type { Plugin, ResolvedConfig } from 'vite';
import {
  byteLength,
  type ImageDialect,
  INLINE_LIMIT,
  type PlacedIcon,
} from '../../build/images.ts';
import type { Part } from '../../build/outdated.ts';
import { createPagePort } from '../../build/pages.ts';
import type { ImageSession } from '../../build/session-types.ts';
import type { DevDialect, EmitContext } from '../rollup/types.ts';
import { made, type ViteBuild, type ViteBuilds } from './builds.ts';

/** The name of the plugin for pages. */
export const PAGES = 'unplugin-icon-catalog:pages';

/**
 * The plugin that puts icons into pages.
 *
 * @param ports.images for the senders that may have them
 */
export function rewritePages(
  builds: ViteBuilds,
  {
    images,
    keyOf,
    dialectOf,
  }: {
    images: ImageSession;
    keyOf(context: object): object;
    dialectOf(context: EmitContext): ImageDialect;
  },
): Plugin {
  let current: EmitContext | undefined;

  async function rewrite(html: string, file: string): Promise<string> {
    if (current === undefined) return html;
    const dialect = dialectOf(current);
    const key = keyOf(current);
    return made(builds, {}, file, async () => {
      const { createCopies, rewritePage } = await import('../../markup/rewrite-page.ts');
      const found: PlacedIcon[] = [];
      const parts: Part[] = [];
      const port = createPagePort(images, {
        copies: createCopies(html),
        file,
        dialect,
        placeholder: builds.dev !== undefined,
        asked: (part) => void parts.push(part),
        placed: (icon) => void found.push(icon),
        // Vite makes style sheets of them, which are ours in their turn.
        styles: false,
      });
      const outcome = await rewritePage(html, file, port);
      builds.icons.set(key, file, found);
      return { outcome, parts };
    });
  }

  return {
    name: PAGES,
    // After the templates of other plugins, and before Vite looks for images.
    enforce: 'post',
    buildStart() {
      // `transformIndexHtml` has no context that could emit a file.
      current = this as unknown as EmitContext;
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { filename }) => rewrite(html, filename),
    },
  };
}

/** Addresses as Vite's own assets have them. */
export function imageDialect(
  context: EmitContext,
  { dev, build }: { dev: DevDialect | undefined; build: ViteBuild | undefined },
): ImageDialect {
  return {
    emit({ fileName, source, contentType }, id) {
      if (dev !== undefined) {
        const module = { kind: 'asset', fileName, source, contentType, code: String } as const;
        return { address: JSON.parse(dev.serve(module)) as string, reference: id };
      }
      const reference = context.emitFile({ type: 'asset', name: fileName, source });
      return { address: `__VITE_ASSET__${reference}__`, reference };
    },
    isSmall({ fileName, source }) {
      // As for every other asset of a library: it has no place of its own.
      if (build?.lib) return true;
      const { assetsInlineLimit = INLINE_LIMIT } = build ?? {};
      if (typeof assetsInlineLimit === 'number') return byteLength(source) < assetsInlineLimit;
      const content = Buffer.from(source as string);
      return assetsInlineLimit(fileName, content) ?? content.length < INLINE_LIMIT;
    },
  };
}

/** What is used of a node of Vue's template compiler (Vue 3). */
interface TemplateNode {
  /** 0: the whole template, 1: an element. */
  type: number;
  tag?: string;
  props?: unknown[];
  children?: unknown[];
}

interface TemplateAttribute {
  /** 6: an attribute that is a text. */
  type: number;
  name: string;
  value?: { content: string };
  loc: object;
}

interface TemplateContext {
  imports: { exp: object; path: string }[];
}

type NodeTransform = (node: TemplateNode, context: TemplateContext) => void;

interface VueOptions {
  template?: {
    compilerOptions?: { nodeTransforms?: readonly NodeTransform[] };
  };
}

/** Attributes that Vue makes imports of. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  img: ['src'],
  image: ['href', 'xlink:href'],
  source: ['src'],
  video: ['src', 'poster'],
};
/** `ConstantTypes.CAN_CACHE`: the value is the same at each rendering. */
const CONSTANT = 2;

/**
 * Vue imports the addresses of images in templates, but only what follows the host name: of `icon:123?color=ff0000` it
 * imports `?color=ff0000`. Here the whole of an `icon:` is imported. Markdown of VitePress becomes such templates.
 */
export function importIconsOfTemplates({ plugins }: Pick<ResolvedConfig, 'plugins'>): void {
  const vue = plugins.find(({ name }) => name === 'vite:vue') as
    | (Plugin & { api?: { options?: VueOptions } })
    | undefined;
  const { options } = vue?.api ?? {};
  if (vue?.api === undefined || options === undefined) return;
  const { template } = options;
  const nodeTransforms = [...(template?.compilerOptions?.nodeTransforms ?? []), importIcons];
  vue.api.options = {
    ...options,
    template: {
      ...template,
      compilerOptions: { ...template?.compilerOptions, nodeTransforms },
    },
  };
}

/** Runs once, for the whole template, as Vue's own transform of an element comes before those of others. */
const importIcons: NodeTransform = (template, { imports }) => {
  if (template.type !== 0) return;

  function visit(node: TemplateNode): void {
    const names = ATTRIBUTES[node.tag ?? ''] ?? [];
    const props = node.type === 1 ? (node.props as TemplateAttribute[]) : [];
    for (const [at, attribute] of props.entries()) {
      const { type, name, value, loc } = attribute;
      if (type !== 6 || !names.includes(name)) continue;
      const specifier = value?.content.trim() ?? '';
      if (specifier.startsWith('icon:')) node.props?.splice(at, 1, bind(name, specifier, loc));
    }
    for (const child of node.children ?? []) {
      if (typeof child === 'object') visit(child as TemplateNode);
    }
  }

  /** `:src` with the name of an import. Vue looks for a simple expression in the component, for a compound one not. */
  function bind(name: string, specifier: string, loc: object): object {
    const content = `_imports_icon_${imports.length}`;
    const simple = {
      type: 4,
      content,
      isStatic: false,
      constType: CONSTANT,
      loc,
    };
    imports.push({ exp: simple, path: toAddress(specifier) });
    return {
      type: 7,
      name: 'bind',
      arg: { type: 4, content: name, isStatic: true, constType: 3, loc },
      exp: { type: 8, children: [content], loc },
      modifiers: [],
      loc,
    };
  }

  visit(template);
};

/** The specifier of an address, within the quotes that Vue writes. */
function toAddress(specifier: string): string {
  const isAddress = /[?&](?:as=(?:url|data)|url|inline)(?=&|$)/.test(specifier);
  const query = isAddress ? '' : `${specifier.includes('?') ? '&' : '?'}as=url`;
  return `${specifier}${query}`.replace(/['\\\s]/g, (text) =>
    text === "'" ? '%27' : encodeURIComponent(text),
  );
}
