import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import iconCatalog from 'unplugin-icon-catalog/webpack';
import webpack from 'webpack';
import { configurations } from './compilers.js';
import { runCompiler } from './run-compiler.js';
import { options } from './options.js';

const styles = { use: [MiniCssExtractPlugin.loader, 'css-loader'] };
const plugins = () => [iconCatalog(options), new MiniCssExtractPlugin()];
runCompiler(webpack(configurations({ plugins, styles })));
