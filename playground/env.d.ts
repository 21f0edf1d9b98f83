import type {} from 'unplugin-icon-catalog/types';
