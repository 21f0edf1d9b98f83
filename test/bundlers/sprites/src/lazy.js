import wolf from 'icon:wolf?sprite&size=3em&color=795548';
import wolfInline from 'icon:wolf?size=3em&color=795548';
import { show } from './show.js';

show({ wolf: [wolf, wolfInline] });
