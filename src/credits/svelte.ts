import { createRawSnippet, type Component } from 'svelte';
import type { ClassValue, HTMLAttributes } from 'svelte/elements';
import { joinClasses } from './join-classes.ts';
import { parseProps, type CreditsProps } from './credits-props.ts';
import { describeList } from './describe-list.ts';
import { followProps, type ListLook } from './follow-props.ts';
import { renderChildren, renderTag } from './render-markup.ts';

/** Props of `<IconCredits>`; all others go to its `<div>`. */
export interface IconCreditsProps
  extends CreditsProps, Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'class'> {
  class?: ClassValue | undefined;
}

/** Names that compiled code adds to props. */
const COMPILED = new Set(['$$slots', '$$events', '$$legacy', '$$props', 'children']);

/**
 * The credits of the icons that this build ships, by licence. On servers and in browsers.
 *
 * @example
 * <script>
 *   import credits from 'icon:credits';
 *   import IconCredits from 'unplugin-icon-catalog/credits/svelte';
 * </script>
 *
 * <IconCredits {credits} heading={3} class="credits" />
 */
const IconCredits: Component<IconCreditsProps> = ((anchor: never, props: IconCreditsProps) => {
  const snippet = createRawSnippet(() => ({
    render: () => {
      const { attributes, content } = look(props);
      const shown = Object.entries(attributes).filter(([name]) => !name.startsWith('on'));
      return renderTag('div', Object.fromEntries(shown), content);
    },
    setup: (element) => followProps(element, () => look(props)),
  })) as unknown as (anchor: never) => void;
  snippet(anchor);
}) as unknown as Component<IconCreditsProps>;

export default IconCredits;

function look(props: IconCreditsProps): ListLook {
  const { credits, heading, grouped, class: given, ...rest } = props;
  const root = describeList(parseProps({ credits, heading, grouped }));
  const attributes: Record<string | symbol, unknown> = { ...root.attributes };
  for (const name of Reflect.ownKeys(rest)) {
    if (!COMPILED.has(String(name))) attributes[name] = Reflect.get(rest, name);
  }
  attributes['class'] = joinClasses([root.attributes['class'], given]);
  return { attributes, content: renderChildren(root) };
}
