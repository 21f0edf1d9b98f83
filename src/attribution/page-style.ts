/** The style of the credits page: system fonts, light and dark, phone to print. Every text colour has at least 4.5:1 on its ground. */
export const PAGE_STYLE: string = `
:root {
  color-scheme: light dark;
  --ground: #faf8f4; --plate: #ffffff; --line: #e3ded3; --ink: #211e19; --soft: #635d52; --link: #8a3712; --edge: #857d6f; --mark: #f1e9db;
  --serif: ui-serif, "New York", "Iowan Old Style", "Palatino Linotype", Palatino, "Noto Serif", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #171512; --plate: #211e1a; --line: #38332c; --ink: #f0ebe2; --soft: #b0a799; --link: #f3ad83; --edge: #857c6e; --mark: #2e2922; }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1.5rem; }
body { margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3.5rem); max-width: 84rem; background: var(--ground); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
h1, h2, .summary { font-family: var(--serif); font-weight: 500; text-wrap: balance; }
a { color: var(--link); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 3px; }

.home { margin-bottom: 1.5rem; color: var(--soft); }
.home a, .formats a { display: inline-block; min-height: 1.5rem; }
header { padding: clamp(2.5rem, 8vw, 6rem) 0 clamp(2rem, 5vw, 3.5rem); }
h1 { font-size: clamp(2.5rem, 1.6rem + 4.5vw, 4.75rem); line-height: 1.02; letter-spacing: -0.025em; }
.summary { margin-top: 1.1rem; font-size: clamp(1.2rem, 1.05rem + 0.8vw, 1.6rem); line-height: 1.35; }
.thanks { margin-top: 0.6rem; color: var(--soft); max-width: 44rem; }
.notice { margin-top: 1.5rem; padding: 0.7rem 1rem; max-width: 44rem; background: var(--mark); border-inline-start: 3px solid var(--link); }

.search { display: grid; gap: 0.35rem; margin-top: 1.75rem; max-width: 26rem; }
[hidden] { display: none !important; }
.choose { margin-top: 0.25rem; color: var(--soft); font-size: 0.9375rem; }
.none { padding: 1.75rem 0; border-top: 2px solid var(--ink); font-family: var(--serif); font-size: 1.25rem; }
.search label { font-size: 0.9375rem; color: var(--soft); }
.search input { width: 100%; min-height: 2.875rem; padding: 0.5rem 0.85rem; font: inherit; color: var(--ink); background: var(--plate); border: 1px solid var(--edge); border-radius: 0.6rem; }
.search output { min-height: 1.55em; color: var(--soft); font-size: 0.9375rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }

nav { margin-bottom: 2.5rem; }
nav h2 { margin-bottom: 0.6rem; font: 600 0.8125rem/1.4 var(--sans); color: var(--soft); }
nav li + li { border-top: 1px solid var(--line); }
nav a { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; padding: 0.6rem 0; color: inherit; font-size: 0.9375rem; line-height: 1.4; text-decoration: none; }
nav a:hover bdi { text-decoration: underline; text-underline-offset: 0.2em; }
.count { color: var(--soft); font-variant-numeric: tabular-nums; overflow-wrap: normal; }

main { min-width: 0; }
section { padding: 1.75rem 0 3.5rem; border-top: 2px solid var(--ink); }
section h2 { font-size: clamp(1.4rem, 1.2rem + 1vw, 2rem); line-height: 1.2; letter-spacing: -0.01em; }
.note { margin-top: 0.4rem; color: var(--soft); font-size: 0.9375rem; max-width: 44rem; }
.empty p { margin-top: 0.5rem; color: var(--soft); }

.credits { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0 2rem; margin-top: 1.25rem; }
.credits > li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 1.1rem; align-items: start; padding: 1.25rem 0; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 9.5rem; }
.credits > li:target { background: var(--mark); box-shadow: -0.75rem 0 0 var(--mark), 0.75rem 0 0 var(--mark); }
.title a, .author a, .terms a, .note a { display: inline-block; min-height: 1.5rem; min-width: 1.5rem; }
.set { padding: 1.5rem 0 0; margin-top: 1.75rem; border-top: 1px solid var(--line); }
.set h3 { font: 600 1.1875rem/1.35 var(--sans); }
.set h3 a { color: inherit; text-decoration-color: var(--soft); }
.facts { margin-top: 0.25rem; max-width: 56rem; }
.facts var { font-style: italic; }
details { margin-top: 0.75rem; }
pre { margin: 0.75rem 0 0; padding: 1rem; max-height: 30rem; overflow: auto; background: var(--mark); font: 0.8125rem/1.5 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; }
summary { display: inline-block; min-height: 1.75rem; padding: 0.1rem 0; color: var(--link); cursor: pointer; font-size: 0.9375rem; font-weight: 600; }
summary::before { content: ""; display: inline-block; width: 0.45em; height: 0.45em; margin: 0 0.6em 0.15em 0.15em; border: solid; border-width: 0 0.14em 0.14em 0; transform: rotate(-45deg); }
details[open] > summary::before { transform: rotate(45deg); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); gap: 1rem 0.75rem; margin-top: 0.9rem; }
.grid > li { display: flex; flex-direction: column; align-items: center; gap: 0.4rem; text-align: center; font-size: 0.8125rem; line-height: 1.35; content-visibility: auto; contain-intrinsic-size: auto 7rem; }
.grid > li:target { background: var(--mark); box-shadow: 0 0 0 0.4rem var(--mark); border-radius: 0.25rem; }
.grid > li > a { display: block; min-width: 1.5rem; min-height: 1.5rem; color: inherit; text-decoration-color: var(--line); }
.grid > li > a:hover { text-decoration-color: currentColor; }
.grid .tile { width: 4rem; height: 4rem; }
.grid .tile > svg, .grid .tile > img { width: 1.75rem; height: 1.75rem; }
.tile[role] { cursor: pointer; }
.tile[role]:hover { border-color: var(--link); }
dialog { width: min(34rem, calc(100vw - 2rem)); padding: 1.5rem; background: var(--ground); color: var(--ink); border: 1px solid var(--edge); border-radius: 0.9rem; }
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog h2 { font-size: 1.5rem; }
dialog fieldset { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0.9rem 0 0.6rem; padding: 0; border: 0; }
dialog legend { float: left; padding: 0; margin-right: 1.25rem; color: var(--soft); }
dialog label { display: inline-flex; gap: 0.4rem; align-items: center; min-height: 1.5rem; }
dialog input { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--link); }
dialog textarea { display: block; width: 100%; padding: 0.7rem 0.85rem; font: 0.875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--ink); background: var(--plate); border: 1px solid var(--edge); border-radius: 0.6rem; resize: vertical; }
.buttons { display: flex; gap: 0.6rem; align-items: center; margin-top: 0.9rem; }
button { min-height: 2.5rem; padding: 0.3rem 1.1rem; font: inherit; color: var(--ink); background: none; border: 1px solid var(--edge); border-radius: 0.6rem; cursor: pointer; }
button[value="copy"] { color: var(--ground); background: var(--link); border-color: var(--link); }
.tile { display: grid; place-items: center; width: 4.5rem; height: 4.5rem; overflow: hidden; background: var(--plate); border: 1px solid var(--line); border-radius: 0.75rem; }
.tile > svg, .tile > img { display: block; width: 2.5rem; height: 2.5rem; object-fit: contain; }
.tile.plate { background: #ffffff; color: #211e19; }
.tile.blank { border-style: dashed; background: none; }
.title { font-size: 1.0625rem; font-weight: 600; line-height: 1.35; }
.title a { color: inherit; text-decoration-color: var(--soft); }
.author { font-size: 0.9375rem; }
.requested, .terms { color: var(--soft); font-size: 0.8125rem; line-height: 1.5; }
.requested { margin-top: 0.3rem; }
.caption > .terms { margin-top: 0.15rem; }

footer { padding: 1.5rem 0 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.8125rem; }

@media (min-width: 62rem) {
  .columns:not(.single) { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 4rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 1.75rem 0 1.5rem; border-top: 2px solid var(--ink); }
}
@media (forced-colors: active) {
  .tile { forced-color-adjust: none; background: #ffffff; color: #211e19; }
}
@media print {
  :root { --ground: #ffffff; --plate: #ffffff; --line: #bbbbbb; --ink: #000000; --soft: #333333; --link: #000000; --mark: #ffffff; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  .home { margin-bottom: 1.5rem; color: var(--soft); }
.home a, .formats a { display: inline-block; min-height: 1.5rem; }
header { padding: 0 0 1.5rem; }
  nav, .search, .choose, .home, .formats, dialog, summary { display: none !important; }
  pre { max-height: none; padding: 0; background: none; font-size: 6.5pt; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .set { padding: 0.6rem 0 0; margin-top: 0.8rem; }
  .set h3 { font-size: 10.5pt; break-after: avoid; }
  .grid { grid-template-columns: repeat(9, minmax(0, 1fr)); gap: 1.2mm 1mm; margin-top: 2mm; }
  .grid > li { content-visibility: visible; break-inside: avoid; gap: 0.4mm; font-size: 6pt; line-height: 1.15; }
  .grid > li > a { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; min-height: 0; text-decoration: none; }
  .grid .tile { width: 7.5mm; height: 7.5mm; border: 0; }
  .grid .tile > svg, .grid .tile > img { width: 6.5mm; height: 6.5mm; }
  .columns:not(.single) { display: block; }
  section { padding: 1rem 0 1.5rem; }
  .credits { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .credits > li { content-visibility: visible; break-inside: avoid; padding: 0.6rem 0; grid-template-columns: 3rem minmax(0, 1fr); }
  .tile { width: 3rem; height: 3rem; }
  .tile > svg, .tile > img { width: 1.75rem; height: 1.75rem; }
  h2 { break-after: avoid; }
  .title a { text-decoration: none; }
  .title a::after { content: " (" attr(href) ")"; font-weight: 400; font-size: 0.8em; }
}
`;
