import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { emitModule, type AssetModule, type EmittedModule } from '../../src/emit/emit-module.ts';
import { SVG, credit, input, record } from './sample.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

async function run(code: string): Promise<Record<string, unknown>> {
  return (await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  )) as Record<string, unknown>;
}

async function evaluate(emitted: EmittedModule): Promise<Record<string, unknown>> {
  return run(emitted.kind === 'code' ? emitted.code : emitted.code('"/assets/star.svg"'));
}

function asset(emitted: EmittedModule): AssetModule {
  if (emitted.kind !== 'asset') throw new Error('expected a file');
  return emitted;
}

describe('every module', () => {
  it.each(['svg', 'url', 'data', 'meta'] as const)('as=%s exports credit and icon', async (as) => {
    const { icon, ...rest } = input({ as });
    const module = await evaluate(await emitModule({ ...rest, icon }));
    expect(Object.keys(module).sort()).toEqual(['credit', 'default', 'icon']);
    expect(module['credit']).toEqual(credit);
    expect(module['icon']).toEqual(icon);
  });
});

describe('as=svg', () => {
  it('exports the markup', async () => {
    expect((await evaluate(await emitModule(input())))['default']).toBe(SVG);
  });
});

describe('as=data', () => {
  it('exports an address that loads the same markup', async () => {
    const address = (await evaluate(await emitModule(input({ as: 'data' }))))['default'];
    const response = await fetch(String(address));
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    // Commas are one character in an address, and white space three.
    expect((await response.text()).replaceAll(/(?<=\d),(?=\d)/g, ' ')).toBe(SVG);
  });

  it('exports a png as base64', async () => {
    const address = (
      await evaluate(
        await emitModule(input({ as: 'data', filetype: 'png', bytes: PNG, svg: undefined })),
      )
    )['default'];
    const response = await fetch(String(address));
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG);
  });
});

describe('as=url', () => {
  it('gives an svg file with its credit inside', async () => {
    const emitted = asset(await emitModule(input({ as: 'url' })));
    expect(emitted).toMatchObject({ fileName: 'star-123.svg', contentType: 'image/svg+xml' });
    expect(emitted.source).toBe(
      SVG.replace(
        '</svg>',
        '<!--! Star by Ana Example from the catalog, CC BY 3.0, https://catalog.example/icon/123 --></svg>',
      ),
    );
    expect((await run(emitted.code('"/base/" + "a.svg"')))['default']).toBe('/base/a.svg');
  });

  it('gives a png file byte for byte', async () => {
    const emitted = asset(
      await emitModule(input({ as: 'url', filetype: 'png', bytes: PNG, svg: undefined })),
    );
    expect(emitted).toMatchObject({
      fileName: 'star-123.png',
      contentType: 'image/png',
      source: PNG,
    });
  });
});

describe('as=meta', () => {
  it('exports the record and none of what the catalog may add to it', async () => {
    const more = { ...record, icon_url: 'https://assets.example/?Signature=abc' };
    const emitted = await emitModule(input({ as: 'meta', record: more, svg: undefined }));
    expect((await evaluate(emitted))['default']).toEqual(record);
    expect(emitted.kind === 'code' && emitted.code).not.toContain('Signature');
  });
});

describe('a caller that gives too little', () => {
  it.each([
    input({ svg: undefined }),
    input({ as: 'data', svg: undefined }),
    input({ as: 'url', filetype: 'png' }),
    input({ as: 'sprite', svg: undefined }),
    input({ as: 'component' }),
  ])('gets an error (%#)', async (given) => {
    await expect(emitModule(given)).rejects.toThrow(TypeError);
  });
});
