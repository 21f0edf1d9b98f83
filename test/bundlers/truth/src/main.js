import star from 'icon:tabler/star';
import camera from 'icon:tabler/camera?url';
import heart from 'icon:tabler/heart?sprite';
import unused from 'icon:settings';
import credits from 'icon:credits';
import { home } from './barrel.js';
import { header } from './header.js';
import printed from './printed.js';
import './style.css';
import './app.js';
import './template/main.js';

const main = document.querySelector('main');
const show = (markup) => main.insertAdjacentHTML('beforeend', markup);

show(header());
for (const markup of [star, home, heart, printed]) show(markup);
show(`<img src="${camera}" alt="">`);
show('<i class="small"></i><i class="large"></i>');

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const answered = new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(show(data));
});
const loaded = import('./lazy.js').then(({ draw }) => show(draw()));

globalThis.credited = credits.map(({ id }) => id);
globalThis.isShown = Promise.all([answered, loaded]).then(() => true);
