import { svgToDataUri } from '../emit/svg-to-data-uri.ts';
import { emitComponent } from '../emit/component/emit-component.ts';
import { joinValue } from '../emit/module-code.ts';
import { toJsString } from '../emit/to-js-string.ts';
import type { ComponentWriter, Framework } from '../component.ts';
import type { IconRequest } from '../types.ts';
import type { SessionModule } from './session-types.ts';

/** A dashed magenta frame with a question mark: nobody takes it for an icon. */
export function placeholderMarkup({ id, size }: Pick<IconRequest, 'id' | 'size'>): string {
  const length = toJsString(size ?? '1em').slice(1, -1);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${length}" height="${length}" viewBox="0 0 24 24" fill="none" stroke="#d0f" stroke-width="2" role="img">` +
    `<title>icon ${id} could not be fetched</title><rect width="20" height="20" x="2" y="2" stroke-dasharray="3 2"/><path d="M9 9.5a3 3 0 1 1 3 3.5v1.5M12 17v1"/></svg>`
  );
}

export function placeholderModule(
  request: IconRequest,
  framework: Framework | ComponentWriter | undefined,
): SessionModule {
  const { id, as, size } = request;
  const svg = placeholderMarkup({ id, size });
  const info = {
    id: String(id),
    term: 'placeholder',
    creator: { name: '', permalink: '', username: '' },
    license_description: '',
    permalink: '',
  };
  const value =
    as === 'component' && typeof framework === 'string'
      ? emitComponent({ request, svg, term: info.term }, framework)
      : as === 'meta'
        ? JSON.stringify(info)
        : toJsString(as === 'url' || as === 'data' ? svgToDataUri(svg) : svg);
  return {
    kind: 'code',
    placeholder: true,
    code: `${joinValue({ value })}export const credit = null;\nexport const icon = ${JSON.stringify(info)};\n`,
  };
}
