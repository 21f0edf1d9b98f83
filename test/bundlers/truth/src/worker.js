import lion from 'icon:lion';

postMessage(lion);
