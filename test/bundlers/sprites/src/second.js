import castle from 'icon:castle?sprite';
import castleInline from 'icon:castle';
import star from 'icon:star?sprite&size=1.5em';
import starInline from 'icon:star?size=1.5em';
import { show } from './show.js';

show({ castle: [castle, castleInline], star: [star, starInline] });
globalThis.isDone = true;
