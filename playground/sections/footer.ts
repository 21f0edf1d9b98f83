import { outward } from '../icons/interface.ts';
import { prints } from '../icons/route.ts';

export function footer(): string {
  return `<p class="end">${prints}<span>Ostervale, its huts and its soup are invented.<br />The icons are real, and so are the people who drew them.</span></p>
    <nav aria-label="About this page">
      <a href="icon-attribution.html">Icon credits ${outward}</a>
      <a href="icon-attribution.json">as JSON ${outward}</a>
      <a href="icon-attribution.md">as Markdown ${outward}</a>
      <a href="#credits">Credits in this page</a>
      <a href="forms.html">The sign workshop</a>
      <a href="icon-browser/">Icon browser ${outward}</a>
      <a href="docs/">Documentation ${outward}</a>
    </nav>`;
}
