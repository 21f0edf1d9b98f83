// Every line after a directive must fail to compile: a directive with nothing to expect is itself an error.
import credits from 'icon:credits';
import markup from 'icon:123';
import record from 'icon:123?as=meta';
// @ts-expect-error Credits have no named export `credit`.
import { credit } from 'icon:credits';
// @ts-expect-error An icon module has no named export `svg`.
import { svg } from 'icon:123';
// @ts-expect-error The scheme is `icon:`.
import other from 'icons:123';
import iconCatalog from 'unplugin-icon-catalog/vite';
import plugins, { createIcons, defineConfig } from 'unplugin-icon-catalog';
// @ts-expect-error There is no such entry point.
import gulp from 'unplugin-icon-catalog/gulp';
// @ts-expect-error Inner files are not public.
import inner from 'unplugin-icon-catalog/dist/index.js';

// @ts-expect-error Markup is a string.
export const count: number = markup;
// @ts-expect-error A record is not markup.
export const text: string = record;
// @ts-expect-error A list is not a record.
export const line: string = credits.line;
// @ts-expect-error The list belongs to the build.
credits.push(credits[0]);

// @ts-expect-error Unknown option.
iconCatalog({ colour: 'red' });
// @ts-expect-error Unknown option.
plugins.vite({ colour: 'red' });
// @ts-expect-error Unknown option.
plugins.bun({ colour: 'red' });
// @ts-expect-error There is no such bundler.
plugins.gulp();
// @ts-expect-error Unknown option.
defineConfig({ colour: 'red' });
// @ts-expect-error Numbers are numbers.
iconCatalog({ concurrency: '8' });
// @ts-expect-error Aliases name ids, or icons by their names.
iconCatalog({ aliases: { house: true } });
// @ts-expect-error A catalog needs its secret.
iconCatalog({ catalog: { baseUrl: 'https://catalog.example', key: 'k' } });
// @ts-expect-error The word is 'embedded'.
iconCatalog({ catalog: 'embeded' });
// @ts-expect-error Only these frameworks.
iconCatalog({ framework: 'angular' });
// @ts-expect-error A specifier is text.
void createIcons().load(123);

export { credit, svg, other, gulp, inner };
