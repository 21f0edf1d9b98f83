import { rspack } from '@rspack/core';
import iconCatalog from 'unplugin-icon-catalog/rspack';
import { configurations } from './compilers.js';
import { runCompiler } from './run-compiler.js';
import { options } from './options.js';

const plugins = () => [iconCatalog(options)];
runCompiler(rspack(configurations({ plugins, styles: { type: 'css/auto' } })));
