import { Shop } from './icons/index.js';

export const metadata = { title: 'Kiln Row pottery', icons: 'data:,' };

const page = { font: '18px/1.6 system-ui, sans-serif', maxWidth: '40rem', margin: '2rem auto' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body style={page}>
        <header>
          <a href="/">
            <Shop size="1.25em" /> Kiln Row pottery
          </a>
        </header>
        {children}
        <footer>
          <a href="/credits">Icon credits</a>
        </footer>
      </body>
    </html>
  );
}
