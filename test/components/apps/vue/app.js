import { createSSRApp, h, ref } from 'vue';
import { attributesOf, cells } from '../shared/cells.js';

const Rich = {
  props: ['icon'],
  setup(props) {
    const drawn = ref(null);
    const size = ref(30);
    return () =>
      h(props.icon, {
        ref: drawn,
        size: size.value,
        class: ['mine'],
        style: { opacity: 0.5 },
        'data-rich': 'yes',
        role: 'presentation',
        onClick: () => {
          globalThis.clicked = drawn.value;
          size.value = 36;
        },
      });
  },
};

export const createApp = () =>
  createSSRApp({
    render: () =>
      cells.map((cell) =>
        h('div', attributesOf(cell), [
          cell.rich ? h(Rich, { icon: cell.icon }) : h(cell.icon, cell.props),
        ]),
      ),
  });
