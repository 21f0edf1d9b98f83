import star from 'icon:star';
import crown from 'icon:crown?color=ffd700';
import anchor from 'icon:anchor?size=0.75rem';
import blueHome from 'icon:home?color=00f';
import smith from 'icon:smith?url';

/** The icon itself can be the lazy part as well. */
const blueStar = await import('icon:star?color=0000ff').then((module) => module.default);

export default { markup: { star, crown, anchor, blueHome, blueStar }, files: { smith } };
