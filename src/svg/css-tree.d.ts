/** The part of css-tree 3 that the style stage uses; the package ships no types. */
declare module 'css-tree' {
  export interface CssList<T> {
    toArray(): T[];
  }
  export interface CssNode {
    type: string;
    name?: string;
    property?: string;
    important?: boolean | string;
    value?: CssNode | string;
    prelude?: CssNode | null;
    block?: CssNode | null;
    children?: CssList<CssNode> | null;
  }
  export function parse(
    text: string,
    options: {
      context?: string;
      parseValue?: boolean;
      parseAtrulePrelude?: boolean;
      parseCustomProperty?: boolean;
      onParseError?: (error: Error) => void;
    },
  ): CssNode;
  export function generate(node: CssNode): string;
  export const ident: { decode(text: string): string };
}
