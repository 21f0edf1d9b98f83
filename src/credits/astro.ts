import { createComponent, render, spreadAttributes, unescapeHTML } from 'astro/compiler-runtime';
import { parseProps, type CreditsProps, describeList, renderChildren } from './describe-list.ts';

/** Props of `<IconCredits>`; all others go to its `<div>`. */
export interface IconCreditsProps extends CreditsProps {
  class?: string | undefined;
  'class:list'?: unknown;
  [attribute: string]: unknown;
}

/**
 * The credits of the icons that this build ships, by licence.
 *
 * @example
 * ---
 * import credits from 'icon:credits';
 * import IconCredits from 'unplugin-icon-catalog/credits/astro';
 * ---
 * <IconCredits credits={credits} heading={3} class="credits" />
 */
const IconCredits: (props: IconCreditsProps) => unknown = /* @__PURE__ */ createComponent(
  (_result: unknown, props: IconCreditsProps) => {
    const { credits, heading, grouped, class: given, 'class:list': list, ...rest } = props;
    const root = describeList(parseProps({ credits, heading, grouped }));
    const { class: ours, ...own } = root.attributes;
    const classes = [ours, given, list].filter(Boolean);
    return render`<div${spreadAttributes({ ...own, ...rest, 'class:list': classes })}>${unescapeHTML(renderChildren(root))}</div>`;
  },
) as unknown as (props: IconCreditsProps) => unknown;

export default IconCredits;
