import { file, NS } from './prepare.ts';

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const DOT = '<circle cx="12" cy="12" r="6"/>';

/** Features of real files, each drawn in several colours so that nothing is recoloured. */
export const DRAWINGS: Readonly<Record<string, string>> = {
  'groups with inherited paint': file(
    `<g fill="red" stroke="#00f" stroke-width="2"><path d="M2 2h9v9H2z"/><g fill="none"><circle cx="15" cy="15" r="5"/></g></g>`,
  ),
  'a style element with classes': file(
    `<style>.a{fill:red}.b{fill:#0f0;stroke:#00f}#c{fill:gold}</style><path class="a b" d="M2 2h9v9H2z"/><path id="c" class="a" d="M13 13h9v9h-9z"/>`,
  ),
  'the cascade': file(
    `<style>path{fill:red;opacity:.5}.a{fill:blue}g > .a{fill:green!important}g path.a{fill:gold}</style><g><path class="a" style="fill:purple" d="M2 2h9v9H2z"/></g><path class="a" d="M12 12h9v9h-9z"/>`,
  ),
  'attributes under styles': file(
    `<style>path{fill:red}</style><path fill="blue" d="M2 2h9v9H2z"/><rect x="12" y="12" width="9" height="9" fill="blue"/>`,
  ),
  'an invalid declaration': file(
    `<style>path{fill:red;fill:nonsense}</style><path d="M2 2h9v9H2z"/><rect fill="blue" x="12" width="9" height="9"/>`,
  ),
  'a transform in CSS': file(
    `<path fill="red" style="transform:translate(4px,5px) rotate(30deg)" d="M2 2h9v9H2z"/><rect fill="blue" width="3" height="3"/>`,
  ),
  'opacity of colours': file(
    `<g fill="rgba(255,0,0,.5)"><path d="M2 2h12v12H2z"/><path fill="blue" d="M8 8h12v12H8z"/><path fill-opacity=".5" d="M0 16h8v8H0z"/></g>`,
  ),
  'hex with alpha': file(
    `<path fill="#f008" d="M2 2h12v12H2z"/><path fill="#0000ff80" fill-opacity=".5" d="M8 8h12v12H8z"/>`,
  ),
  'hsl and percentages': file(
    `<path fill="hsl(120,100%,25%)" d="M2 2h12v12H2z"/><path fill="rgb(100%,0%,50%)" d="M8 8h12v12H8z"/>`,
  ),
  'currentColor by color': file(
    `<g color="red" fill="currentColor"><path d="M2 2h9v9H2z"/><g color="blue"><path d="M12 12h9v9h-9z"/></g></g>`,
  ),
  'linear and radial gradients': file(
    `<defs><linearGradient id="a"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity=".5"/></linearGradient><radialGradient id="b" xlink:href="#a" gradientUnits="userSpaceOnUse" cx="16" cy="16" r="8" gradientTransform="rotate(20 16 16)"/></defs><path fill="url(#a)" d="M2 2h9v9H2z"/><circle fill="url(#b)" cx="16" cy="16" r="6"/>`,
    XLINK,
  ),
  'a mask with white on nothing': file(
    `<mask id="m"><path fill="#fff" d="M0 0h24v24H0z"/><circle cx="12" cy="12" r="5"/></mask><path fill="red" mask="url(#m)" d="M0 0h24v24H0z"/><path fill="blue" d="M11 11h2v2h-2z"/>`,
  ),
  'a mask that inherits': file(
    `<g fill="#fff"><mask id="m">${DOT}</mask></g><path fill="red" mask="url(#m)" d="M0 0h24v24H0z"/><path fill="blue" d="M1 1h2v2H1z"/>`,
  ),
  'a clip': file(
    `<clipPath id="c"><circle cx="12" cy="12" r="8"/></clipPath><g clip-path="url(#c)"><path fill="red" d="M0 0h24v12H0z"/><path fill="blue" d="M0 12h24v12H0z"/></g>`,
  ),
  'use with paint of its own': file(
    `<defs><path id="p" d="M0 0h6v6H0z"/><symbol id="s" viewBox="0 0 2 2"><path fill="red" d="M0 0h1v1H0z"/><path d="M1 1h1v1H1z"/></symbol></defs><use href="#p" x="2" y="2" fill="green"/><use href="#p" x="12" y="2" fill="gold"/><use href="#s" x="2" y="12" width="10" height="10" fill="blue"/>`,
  ),
  'use of a painted shape': file(
    `<g fill="red"><path id="p" fill="red" d="M0 0h6v6H0z"/></g><use href="#p" x="12" y="12" fill="blue"/><circle cx="4" cy="18" r="3" fill="green"/>`,
  ),
  'a pattern': file(
    `<pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><path fill="red" d="M0 0h2v2H0z"/></pattern><path fill="url(#p)" d="M0 0h24v24H0z"/><path fill="blue" d="M11 11h2v2h-2z"/>`,
  ),
  markers: file(
    `<marker id="m" viewBox="0 0 2 2" markerWidth="3" markerHeight="3" refX="1" refY="1" orient="auto"><path fill="red" d="M0 0l2 1-2 1z"/></marker><path fill="none" stroke="blue" marker-end="url(#m)" marker-start="url(#m)" d="M4 4l14 14"/>`,
  ),
  'a marker by style': file(
    `<marker id="m" markerWidth="3" markerHeight="3" refX="1" refY="1"><path fill="red" d="M0 0h2v2H0z"/></marker><path style="marker:url(#m);stroke:blue;fill:none" d="M4 4l14 14"/>`,
  ),
  filters: file(
    `<filter id="f"><feGaussianBlur in="SourceAlpha" stdDeviation="1" result="b"/><feOffset in="b" dx="2" dy="2"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter><circle fill="red" filter="url(#f)" cx="10" cy="10" r="6"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a colour matrix': file(
    `<filter id="f" color-interpolation-filters="sRGB"><feColorMatrix type="matrix" values="0 0 1 0 0 0 1 0 0 0 1 0 0 0 0 0 0 0 1 0"/></filter><path fill="red" filter="url(#f)" d="M2 2h9v9H2z"/><path fill="green" d="M12 12h9v9h-9z"/>`,
  ),
  'a nested svg': file(
    `<path fill="red" d="M0 0h4v4H0z"/><svg x="6" y="6" width="12" height="12" viewBox="0 0 2 2" preserveAspectRatio="none"><path fill="blue" d="M0 0h1v2H0z"/></svg>`,
  ),
  'a switch': file(
    `<switch><g fill="red"><path d="M2 2h9v9H2z"/></g><g fill="blue"><path d="M12 12h9v9h-9z"/></g></switch><path fill="gold" d="M20 0h2v2h-2z"/>`,
  ),
  'a link': file(
    `<a href="#"><path fill="red" d="M2 2h9v9H2z"/></a><path fill="blue" d="M12 12h9v9h-9z"/>`,
  ),
  'opacity on the root': file(
    `<path fill="red" d="M2 2h12v12H2z"/><path fill="blue" d="M8 8h12v12H8z"/>`,
    'opacity=".5"',
  ),
  'paint on the root': file(
    `<path d="M2 2h9v9H2z"/><path fill="blue" d="M12 12h9v9h-9z"/>`,
    'fill="none" stroke="red" stroke-width="2" stroke-linecap="round"',
  ),
  dashes: file(
    `<path fill="none" stroke="red" stroke-width="2" stroke-dasharray="3 2" d="M2 12h20"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'fill rules': file(
    `<path fill="red" fill-rule="evenodd" d="M2 2h20v20H2zM7 7h10v10H7z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a reference to nothing': file(
    `<path fill="url(#none)" d="M2 2h20v20H2z"/><path fill="url(#none) red" d="M6 6h4v4H6z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'shapes with rounded corners': file(
    `<rect x="2" y="2" width="9" height="9" rx="3" fill="red"/><ellipse cx="16" cy="16" rx="6" ry="3" fill="blue"/><polygon points="2 22 8 14 11 22" fill="green"/>`,
  ),
  prefixes: `<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><s:path fill="red" d="M2 2h9v9H2z"/><s:path fill="blue" d="M12 12h9v9h-9z"/></s:svg>`,
  'a size instead of a viewBox': `<svg ${NS} width="24" height="24"><path fill="red" d="M2 2h9v9H2z"/><path fill="blue" d="M12 12h9v9h-9z"/></svg>`,
  'bare shapes beside painted ones': file(
    `<path d="M2 2h9v9H2z"/><path fill="red" d="M12 12h9v9h-9z"/>`,
  ),
  'the curve that svgo gets wrong': file(
    `<path fill="none" stroke="red" d="M3 12c3-2 6-2 9 0s6 2 9 0"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'transforms of transforms': file(
    `<g transform="translate(12 12)"><g transform="rotate(45) scale(.5 1.5)" fill="red"><rect x="-6" y="-6" width="12" height="12" stroke="blue" stroke-width="2"/></g></g>`,
  ),
  'hidden and shown again': file(
    `<g visibility="hidden"><path fill="red" d="M2 2h9v9H2z"/><path visibility="visible" fill="blue" d="M12 12h9v9h-9z"/></g><path display="none" fill="green" d="M0 0h24v24H0z"/>`,
  ),
  'two ids alike': file(
    `<linearGradient id="a"><stop stop-color="red"/></linearGradient><linearGradient id="a"><stop stop-color="blue"/></linearGradient><path fill="url(#a)" d="M2 2h20v20H2z"/><path fill="gold" d="M0 0h2v2H0z"/>`,
  ),
  'a transform about an origin': file(
    `<path transform="rotate(45)" transform-origin="12 12" fill="red" d="M8 8h8v8H8z"/><path style="transform:rotate(30deg);transform-origin:50% 50%" fill="blue" d="M4 8h16v3H4z"/><path style="transform:rotate(9deg);transform-origin:bottom right" fill="gold" d="M4 2h16v3H4z"/>`,
  ),
  'an origin in a nested drawing': file(
    `<svg x="4" y="4" width="12" height="12" viewBox="0 0 6 6"><g transform="rotate(45)" transform-origin="50% 50%"><path transform="scale(.5)" fill="red" d="M1 1h4v4H1z"/></g><path transform="rotate(30)" transform-origin="50% 50%" fill="green" d="M4 2h2v3H4z"/></svg><path fill="blue" d="M0 0h3v3H0z"/>`,
  ),
  'an invisible shape that gives a filter its box': file(
    `<filter id="f" x="0" y="0" width="1" height="1"><feFlood flood-color="gold"/></filter><g filter="url(#f)"><rect x="2" y="2" width="9" height="20" opacity="0"/><rect x="2" y="2" width="20" height="9" visibility="hidden"/><circle cx="6" cy="6" r="3" fill="red"/></g><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'an invisible shape that gives a clip its box': file(
    `<clipPath id="f" clipPathUnits="objectBoundingBox"><path d="M0 0h.5v1H0z"/></clipPath><g clip-path="url(#f)"><rect x="2" y="2" width="20" height="20" opacity="0"/><circle cx="15" cy="12" r="6" fill="red"/></g><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a smooth curve after nothing': file(
    `<path fill="red" d="M2 9c0-5 5-7 10-7h0s5 7 10 7-10 3-20 0z"/><path fill="blue" d="M2 22q5-12 10 0v0t8-6-18-4z"/>`,
  ),
  'a smooth curve after nothing, absolute': file(
    `<path fill="red" d="M2 12C2 7 7 2 12 2L12 2S17 12 22 12 12 22 2 12z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a smooth curve after a curve without length': file(
    `<path fill="red" d="M2 12c0-5 5-10 10-10c0 0 0 0 0 0s5 10 10 10-10 10-20 0z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a nested svg that is moved': file(
    `<g transform="translate(6 4) rotate(20)"><svg width="12" height="12" viewBox="0 0 2 2"><path fill="red" d="M0 0h2v2H0z"/></svg></g><svg transform="rotate(9)" width="6" height="6" viewBox="0 0 2 2"><path fill="blue" d="M0 0h2v2H0z"/></svg>`,
  ),
  'equal font sizes in each other': file(
    `<text x="1" y="20" font-size="1.5em" fill="red"><tspan font-size="1.5em">A</tspan></text><path fill="blue" d="M0 0h2v2H0z"/>`,
    'font-size="8"',
  ),
  'spaces between letters in each other': file(
    `<g letter-spacing="1" font-size="7" font-family="monospace"><text y="8" fill="red">ab<tspan letter-spacing=".4em" word-spacing="3" fill="green">c d</tspan></text><text letter-spacing="1" y="18" fill="gold">e<tspan letter-spacing="normal">fg</tspan></text></g>`,
  ),
  'equal shifts of the baseline in each other': file(
    `<text x="1" y="20" font-size="10" fill="red">a<tspan baseline-shift="5">b<tspan baseline-shift="5">c</tspan></tspan></text><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'spaces that are drawn': file(
    `<g font-size="6" font-family="monospace"><text xml:space="preserve" y="6" fill="red">  a  b</text><text xml:space="preserve" x="22" y="12" text-anchor="end" fill="blue">c \n<tspan fill="green">\td </tspan></text><text y="20" fill="gold" xml:space="default">  e  f<tspan xml:space="preserve"> g  h</tspan></text></g>`,
  ),
  'a group with spaces that are not drawn': file(
    `<g xml:space="preserve" font-size="6" font-family="monospace"><text y="6" fill="red">  a  b</text></g><path fill="blue" d="M12 12h9v9h-9z"/>`,
  ),
  'a switch by language': file(
    `<switch><g systemLanguage="x-none"><path fill="red" d="M2 2h20v20H2z"/></g><g systemLanguage="en, en-US"><path fill="green" d="M2 2h20v20H2z"/></g><g><path fill="gold" d="M2 2h9v9H2z"/></g></switch><g systemLanguage="x-none"><path fill="blue" d="M0 0h24v24H0z"/></g><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'the font shorthand': file(
    `<text x="1" y="18" style="font:italic bold 14px/1.2 serif" fill="red">Ag</text><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'paint that falls back from what is no paint': file(
    `<path id="p" fill="gold" d="M0 0h3v3H0z"/><path fill="url(#p) red" d="M6 6h12v12H6z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'paint that falls back for want of a box': file(
    `<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><path stroke="url(#g) green" stroke-width="4" d="M2 12h20"/><path stroke="url(#g)" stroke-width="4" d="M2 20h20"/><path color="gold" stroke="url(#g) currentColor" stroke-width="4" d="M2 4h20"/>`,
  ),
  'colour of a use': file(
    `<defs><path id="p" fill="currentColor" d="M0 0h9v9H0z"/><g id="q"><use href="#p"/><path stroke="currentColor" d="M9 0v9"/></g></defs><use href="#p" color="red" x="2" y="2"/><g color="green"><use href="#q" x="12" y="12"/></g><use href="#q" color="gold" x="2" y="14"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'inherited overflow': file(
    `<g overflow="visible"><svg x="6" y="6" width="6" height="6" overflow="inherit"><path fill="red" d="M-4-4h9v9h-9z"/></svg></g><svg x="16" y="16" width="6" height="6" overflow="inherit"><path fill="gold" d="M-2-2h16v16h-16z"/></svg><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a light far away': file(
    `<filter id="f" x="0" y="0" width="1" height="1"><feDiffuseLighting in="SourceAlpha" surfaceScale="10" lighting-color="#bbffaa"><fePointLight x="-5000" y="-10000" z="20000"/></feDiffuseLighting></filter><path filter="url(#f)" fill="red" d="M2 2h20v20H2z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a line of no length before a smooth curve': file(
    `<path fill="red" d="M2 9c0-5 5-7 10-7l0 0s5 7 10 7-10 3-20 0z"/><path fill="blue" d="M2 22q5-12 10 0l0 0t8-6-18-4z"/>`,
  ),
  'less than no opacity of strokes and stops': file(
    `<defs><linearGradient id="a"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity="-1"/></linearGradient></defs><path fill="url(#a)" stroke="green" stroke-width="3" stroke-opacity="-.5" d="M2 2h20v20H2z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'less than no opacity': file(
    `<path opacity="-.5" fill="red" d="M2 2h20v20H2z"/><path fill-opacity="-1" fill="gold" d="M8 8h9v9H8z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'equal opacities in each other': file(
    `<g opacity=".5"><g fill="green" opacity=".5"><path opacity=".5" d="M2 2h9v9H2z"/><path fill="gold" d="M8 8h9v9H8z"/></g></g><path fill="blue" d="M0 0h2v2H0z"/>`,
    'opacity=".5"',
  ),
  'equal masks in each other': file(
    `<mask id="m"><path fill="#888" d="M0 0h24v24H0z"/></mask><g mask="url(#m)"><g mask="url(#m)"><path fill="red" d="M4 4h9v9H4z"/><path fill="gold" d="M8 8h9v9H8z"/></g></g><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'use of what is not displayed': file(
    `<g display="none"><path id="p" d="M4 4h9v9H4z"/></g><use href="#p" fill="red"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'an invisible shape in what is used with a clip': file(
    `<defs><g id="q"><rect x="2" y="2" width="20" height="20" opacity="0"/><circle cx="15" cy="12" r="6" fill="red"/></g></defs><clipPath id="f" clipPathUnits="objectBoundingBox"><path d="M0 0h.5v1H0z"/></clipPath><use href="#q" clip-path="url(#f)"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a gradient that moved shapes inherit': file(
    `<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="green"/></linearGradient><g fill="url(#g)"><path transform="rotate(30 12 12)" d="M4 4h16v3H4z"/><path transform="rotate(60 12 12)" d="M8 8h9v9H8z"/></g><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'markers of a line that stands still': file(
    `<marker id="m" markerWidth="9" markerHeight="9" orient="auto"><path fill="red" d="M0 0h9v1H0z"/></marker><path fill="none" stroke="green" marker-mid="url(#m)" d="M2 4h9v0h0v9l9 9"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'a gradient turned about an origin': file(
    `<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="4" x2="20" gradientTransform="rotate(45)" transform-origin="12 12"><stop stop-color="red"/><stop offset="1" stop-color="green"/></linearGradient><pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" transform-origin="11 10"><path fill="gold" d="M0 0h2v2H0z"/></pattern><path fill="url(#g)" d="M4 4h16v8H4z"/><path fill="url(#p)" d="M4 14h16v8H4z"/><path fill="blue" d="M0 0h2v2H0z"/>`,
  ),
  'dashes of shapes that state their length': file(
    `<g fill="none" stroke="red" stroke-width="2" stroke-dasharray="10 5"><circle cx="6" cy="6" r="4" pathLength="100"/><ellipse cx="17" cy="6" rx="5" ry="3" pathLength="60"/><rect x="2" y="13" width="8" height="8" pathLength="90"/><path stroke="blue" pathLength="45" d="M13 13h9v9h-9z"/></g>`,
  ),
  'paint inside the shape that has it': file(
    `<rect x="2" y="2" width="16" height="16" fill="url(#g)"><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="gold"/></linearGradient></rect><path fill="blue" d="M20 20h3v3h-3z"/>`,
  ),
};