'use strict';

// Stands between css-loader (or the bundler's own CSS) and whatever makes the CSS: preprocessors have run, partials are
// in. The work is done by the function that icon-modules.ts puts on the loader's context. JavaScript, because loaders
// are loaded by path, from the source tree too.
module.exports = function iconStyleLoader(content, map, meta) {
  const callback = this.async();
  const rewrite = this.rewriteIconStyle;
  if (rewrite === undefined) return callback(null, content, map, meta);
  const written = String(content);
  rewrite(written, this).then(
    // Lines stay where they are, so the map stays right.
    (css) => callback(null, css, map, css === written ? meta : withoutTree(meta)),
    (error) => callback(error),
  );
};

// postcss-loader hands its tree to css-loader, which then looks at no text.
function withoutTree(meta) {
  if (meta === undefined || meta === null) return meta;
  const { ast: _, ...rest } = meta;
  return rest;
}
