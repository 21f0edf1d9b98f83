import { rspack } from '@rspack/core';
import iconCatalog from 'unplugin-icon-catalog/rspack';
import { configurations, run } from './compilers.js';
import { options } from './options.js';

const plugins = () => [iconCatalog(options)];
run(rspack(configurations({ plugins, styles: { type: 'css/auto' } })));
