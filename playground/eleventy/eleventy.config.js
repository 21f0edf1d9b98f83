import iconCatalog from 'unplugin-icon-catalog/eleventy';
import { embeddedIconId } from 'unplugin-icon-catalog/server';

const aliases = {
  calendar: embeddedIconId('tabler', 'calendar-event'),
  tide: embeddedIconId('tabler', 'ripple'),
  anchor: embeddedIconId('tabler', 'anchor'),
  moon: embeddedIconId('tabler', 'moon'),
  whale: embeddedIconId('game-icons', 'whale-tail'),
  crab: embeddedIconId('game-icons', 'crab'),
  lighthouse: embeddedIconId('maki', 'lighthouse'),
  ferry: embeddedIconId('maki', 'ferry'),
};

export default function (eleventyConfig) {
  eleventyConfig.addPlugin(iconCatalog, { catalog: 'embedded', aliases });
  eleventyConfig.addPassthroughCopy({ 'src/style.css': 'style.css' });
  return { dir: { input: 'src', output: '_site' }, markdownTemplateEngine: 'njk' };
}
