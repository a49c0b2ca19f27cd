/** A process of its own that creates a card with each badge, and sends the badge and the id of each one that it could create. */
import { once } from 'node:events';
import { openMongoStore } from '../../src/adapters/stores/mongodb/open-store.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { kindsWith } from '../support/cards.ts';
import { deadline } from '../support/deadlines.ts';
import { aCard, commit, creating } from './unique-keys.ts';

const [options = '', count] = process.argv.slice(2);
const { uri = '', file = '' } = JSON.parse(options);
const kinds = kindsWith('badge');
const fail = (cause: unknown): never => {
  throw cause;
};
const store = file
  ? await openSqliteStore({ file, kinds, busyTimeout: deadline, onFatal: fail })
  : await openMongoStore({ uri, kinds, operationTimeout: deadline, onProblem: fail });
process.send?.('open');
await once(process, 'message');
for (let badge = 0; badge < Number(count); badge += 1) {
  const card = aCard({ badge: `${badge}` });
  const [outcome] = await commit(store, creating(card));
  if (outcome === 'done') process.send?.([`${badge}`, card.id]);
  else if (outcome !== 'badge-taken') throw new Error(outcome);
}
await store.close();
process.disconnect();
