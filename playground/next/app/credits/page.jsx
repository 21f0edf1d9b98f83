import { icons } from '../icons/credits.json';

export const metadata = { title: 'Icon credits · Kiln Row pottery' };

export default function Credits() {
  return (
    <main>
      <h1>Icon credits</h1>
      <ul>
        {icons.map(({ id, credit, license }) => (
          <li key={id} id={`icon-${id}`}>
            {credit.line} {license.url && <a href={license.url}>{license.name}</a>}
          </li>
        ))}
      </ul>
    </main>
  );
}
