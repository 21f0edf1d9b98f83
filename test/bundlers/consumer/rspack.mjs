import { rspack } from '@rspack/core';
import iconCatalog from 'unplugin-icon-catalog/rspack';
import { configuration } from './compilers.js';
import { options } from './options.js';
import { runCompiler } from './run-compiler.js';

const cache = (directory) => ({ type: 'persistent', storage: { type: 'filesystem', directory } });
runCompiler(rspack(configuration(iconCatalog(options), cache)));
