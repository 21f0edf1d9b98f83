declare module 'spdx-expression-parse' {
  /** @throws SyntaxError */
  export default function parse(expression: string): object;
}
