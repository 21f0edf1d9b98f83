import cloud from 'icon:cloud?size=34';
import mist from 'icon:mist?size=34';
import rain from 'icon:rain?color=1b6fa8&size=34';
import snow from 'icon:snow?size=34';
import storm from 'icon:storm?color=c8202b&size=34';
import sunny from 'icon:sunny?color=d89000&size=34';
import sunrise from 'icon:sunrise?size=20';
import sunset from 'icon:sunset?size=20';
import thermometer from 'icon:thermometer?size=18';
import wind from 'icon:wind?size=18';

export const skies = { cloud, mist, rain, snow, storm, sunny };
export { sunrise, sunset, thermometer, wind };
