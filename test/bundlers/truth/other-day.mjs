/** Loaded before everything else: a process that runs some other day. */
const Today = Date;
const SHIFT = 400 * 24 * 60 * 60 * 1000;

globalThis.Date = class extends Today {
  constructor(...given) {
    super(...(given.length === 0 ? [Today.now() + SHIFT] : given));
  }
  static now() {
    return Today.now() + SHIFT;
  }
};
