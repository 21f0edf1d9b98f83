import webpack from 'webpack';
import iconCatalog from 'unplugin-icon-catalog/webpack';
import { configuration } from './compilers.js';
import { options } from './options.js';
import { runCompiler } from './run-compiler.js';

const cache = (cacheDirectory) => ({ type: 'filesystem', cacheDirectory });
runCompiler(webpack(configuration(iconCatalog(options), cache)));
