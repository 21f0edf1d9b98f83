import { h, inject, ssrContextKey, type FunctionalComponent, type PropType, type VNode } from 'vue';
import type { Credit } from '../types.ts';
import {
  parseProps,
  type CreditsProps,
  describeList,
  type CreditsElement,
} from './describe-list.ts';

/** Props of `<IconCredits>`; attributes go to its `<div>`. */
export type IconCreditsProps = CreditsProps;

/**
 * The credits of the icons that this build ships, by licence. On servers and in browsers.
 *
 * @example
 * <script setup>
 * import credits from 'icon:credits';
 * import IconCredits from 'unplugin-icon-catalog/credits/vue';
 * </script>
 *
 * <template><IconCredits :credits="credits" :heading="3" class="credits" /></template>
 */
const IconCredits: FunctionalComponent<IconCreditsProps> = /* @__PURE__ */ Object.assign(
  (props: IconCreditsProps) => {
    const list = describeList(parseProps(props));
    const { prefix, ...attributes } = list.attributes;
    // `prefix` is also a read-only property of elements: `^` makes Vue set the attribute. Servers write names as they
    // are.
    const name = inject<unknown>(ssrContextKey, undefined) === undefined ? '^prefix' : 'prefix';
    return toVue({ ...list, attributes: { ...attributes, [name]: prefix ?? '' } });
  },
  {
    displayName: 'IconCredits',
    props: {
      credits: { type: Array as PropType<readonly Credit[]>, required: true as const },
      heading: { type: [Number, String] as PropType<CreditsProps['heading']>, default: 2 },
      grouped: { type: Boolean, default: true },
    },
  },
);

export default IconCredits;

function toVue({ tag, attributes, children }: CreditsElement): VNode {
  return h(
    tag,
    attributes,
    children.map((child) => (typeof child === 'string' ? child : toVue(child))),
  );
}
