import './style/base.css';
import './style/forms.css';
import credits from 'icon:credits';
import deer from 'icon:deer?size=56&as=sprite';
import eagle from 'icon:eagle?size=56&as=sprite';
import fox from 'icon:fox?as=component';
import lynx from 'icon:lynx?size=56&as=sprite';
import owl from 'icon:owl?size=80&title=An+owl';
import skies from 'icon:set?ids=sunny,cloud,rain,storm,mist&size=80';
import type { IconElementClass } from 'unplugin-icon-catalog/types/web-component';
import IconCredits from 'unplugin-icon-catalog/credits/web-component';

function find(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}

find('#markup').innerHTML = owl;
find('#sprite').innerHTML = [deer, eagle, lynx].join('');

// The page's other icons are strings, which is what the types of this project say.
const Fox = fox as unknown as IconElementClass;
Fox.define('fox-sign');
const grow = find('#grow') as HTMLInputElement;
grow.addEventListener('input', () => find('fox-sign').setAttribute('size', grow.value));

const weather = find('#weather') as HTMLSelectElement;
for (const name of Object.keys(skies)) weather.append(new Option(name, name));
const forecast = (): void => {
  find('#chosen').innerHTML = skies[weather.value] ?? '';
};
weather.addEventListener('change', forecast);
forecast();

IconCredits.define();
Object.assign(find('icon-credits'), { credits });
