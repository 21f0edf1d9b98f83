import 'unplugin-icon-catalog/types';
