import {
  createElement,
  forwardRef,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type ReactNode,
  type RefAttributes,
} from 'react';
import { parseProps, type CreditsProps, describeList, type CreditsNode } from './describe-list.ts';

/** Props of `<IconCredits>`; all others go to its `<div>`. */
export interface IconCreditsProps
  extends CreditsProps, Omit<HTMLAttributes<HTMLDivElement>, 'children'> {}

/**
 * The credits of the icons that this build ships, by licence. On servers, in server components and in browsers.
 *
 * @example
 * import credits from 'icon:credits';
 * import IconCredits from 'unplugin-icon-catalog/credits/react';
 *
 * export const Credits = () => <IconCredits credits={credits} heading={3} className="credits" />;
 */
const IconCredits: ForwardRefExoticComponent<IconCreditsProps & RefAttributes<HTMLDivElement>> =
  /* @__PURE__ */ forwardRef(({ credits, heading, grouped, className, ...rest }, ref) => {
    const { tag, attributes, children } = describeList(parseProps({ credits, heading, grouped }));
    const { class: ours, ...own } = attributes;
    const classes = className ? `${ours} ${className}` : ours;
    return createElement(
      tag,
      { ...own, ...rest, className: classes, ref },
      ...children.map(toReact),
    );
  });

export default IconCredits;

function toReact(node: CreditsNode): ReactNode {
  if (typeof node === 'string') return node;
  const { class: className, ...attributes } = node.attributes;
  // The children are spread, so that React takes their order as fixed and needs no keys.
  return createElement(node.tag, { ...attributes, className }, ...node.children.map(toReact));
}
