import { drawIcons, type TryIcons } from './try-icons.ts';

/** The icons that the page shows at first. */
const ICONS = {
  tabler:
    'arrow-left arrow-right bell book calendar camera check cloud download edit file flame folder heart home key leaf lock mail map-pin moon music phone photo search settings shopping-cart star sun tag trash user x',
  maki: 'bicycle cafe garden harbor library lighthouse park restaurant',
  'game-icons': 'anchor beehive crab owl raven whale-tail',
};

declare const data: TryIcons;
export { data };

export default {
  load: (): Promise<TryIcons> =>
    drawIcons(
      Object.entries(ICONS).flatMap(([set, names]) =>
        names.split(' ').map((name) => `${set}/${name}`),
      ),
    ),
};
