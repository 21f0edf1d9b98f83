declare module 'spdx-expression-parse' {
  export type Expression = { license: string } | { left: Expression; right: Expression };
  /** @throws SyntaxError */
  export default function parse(expression: string): Expression;
}
