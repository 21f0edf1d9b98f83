'use strict';

// Rspack reads resources from disk or `data:` only and takes loaders only as files, so this one answers in the pitch,
// before a resource would be read. The work is done by the function that icon-modules.ts puts on the loader's context.
// JavaScript, because Rspack loads it by path, from the source tree too.
module.exports = function iconLoader(content) {
  return content;
};

module.exports.pitch = function pitch() {
  return this.readIcon(this);
};
