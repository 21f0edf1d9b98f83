import { Amphora, Clay, Kiln } from './icons/index.js';
import { Turn } from './turn.jsx';

export default function Page() {
  return (
    <main>
      <h1>
        <Kiln color="#b3261e" title="A flame" /> Fired this week
      </h1>
      <p>
        <Amphora size={64} title="An amphora" /> <Clay size={64} className="clay" />
      </p>
      <Turn />
    </main>
  );
}
