import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent } from 'vue';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    // Only one page needs it, and it brings the code of the package along.
    app.component(
      'TryIcon',
      defineAsyncComponent(() => import('./try-icon.vue')),
    );
  },
};

export default theme;
