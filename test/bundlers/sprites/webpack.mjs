import webpack from 'webpack';
import iconCatalog from 'unplugin-icon-catalog/webpack';
import { options } from './options.js';
import { configuration, runCompiler } from './run-compiler.js';

const cache = (cacheDirectory) => ({ type: 'filesystem', cacheDirectory });
runCompiler(webpack(configuration(iconCatalog(options), cache)));
