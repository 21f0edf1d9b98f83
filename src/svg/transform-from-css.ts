const CALL = /(matrix|translate|scale|rotate|skew)(x|y)?\(([^()]*)\)/gi;

/** A CSS transform in the notation of the attribute (SVG 1.1): no units, no axis variants but skewX and skewY. */
export function transformFromCss(value: string): string {
  return value.replaceAll(CALL, (_call, name: string, axis: string | undefined, body: string) => {
    const list = body.split(',').map((argument) => toUserUnits(argument.trim()));
    const lower = name.toLowerCase();
    if (lower === 'skew')
      return axis === undefined
        ? `skewX(${list[0] ?? ''})`
        : `skew${axis.toUpperCase()}(${list.join(' ')})`;
    if (axis === undefined) return `${lower}(${list.join(' ')})`;
    const rest = lower === 'scale' ? '1' : '0';
    return axis.toLowerCase() === 'x'
      ? `${lower}(${list[0] ?? ''} ${rest})`
      : `${lower}(${rest} ${list[0] ?? ''})`;
  });
}

const DEGREES = new Map([
  ['deg', 1],
  ['rad', 180 / Math.PI],
  ['turn', 360],
  ['grad', 0.9],
  ['px', 1],
]);

function toUserUnits(argument: string): string {
  const match = /^([-+\d.e]+)(deg|rad|turn|grad|px)$/i.exec(argument);
  const factor = DEGREES.get(match?.[2]?.toLowerCase() ?? '');
  return match === null || factor === undefined ? argument : String(Number(match[1]) * factor);
}
