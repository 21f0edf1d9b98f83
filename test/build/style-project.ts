import { embeddedIconId } from '../../src/server.ts';

/** Every icon stands for one way of writing it, so that a missing one names the way that is broken. */
export const ALIASES: Record<string, number> = Object.fromEntries(
  [
    ...['home', 'star', 'heart', 'bell', 'moon', 'sun', 'user', 'search'].map(
      (name) => ['tabler', name] as const,
    ),
    ...['settings', 'cloud', 'flag', 'leaf', 'map', 'key'].map((name) => ['tabler', name] as const),
    ...['bus', 'cafe', 'airport'].map((name) => ['maki', name] as const),
    ...['lion', 'castle', 'crown'].map((name) => ['game-icons', name] as const),
  ].map(([set, name]) => [name, embeddedIconId(set, name)]),
);

/** Titles in the catalog, as credits name them. */
export const titleOf = (alias: string): string => alias.slice(0, 1).toUpperCase() + alias.slice(1);

/** Style sheets that bundlers without preprocessors understand. */
export const PLAIN_STYLES: Record<string, string> = {
  'main.js': `import './main.css'; document.querySelector('#app')?.append('ready');`,
  'main.css': `@import './parts/part.css';
/* url(icon:nothing) */
.home { background: url(icon:home?color=f00&size=20) no-repeat }
.star { -webkit-mask: url("icon:star") no-repeat; mask: url('icon:star') no-repeat; background: #00f }
.heart { background: no-repeat url( "icon:heart?color=#0a0" ) }
.moon { list-style-image: url(icon:moon?color=%23a0a) }
.lion { background: url(icon:lion?color=111) }
.bus::before { content: "url(icon:nothing)" url(icon:bus?color=0aa) }
`,
  'parts/part.css': '.part { cursor: url(icon:bell?color=00f&size=32), pointer }',
};

export const PLAIN_ICONS: string[] = ['bell', 'bus', 'heart', 'home', 'lion', 'moon', 'star'];
