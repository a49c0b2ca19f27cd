/** The service on SQLite with a thousand users, which have members that contract 1.12 lacks; clients named `old` are pinned to it. */
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { grownKinds, later, startGrown } from '../../test/support/grown-users.ts';
import { idOf, inputOf } from '../directory.ts';

const store = await openSqliteStore({
  ...{ file: 'users.db', kinds: grownKinds },
  onFatal: (cause) => {
    throw cause;
  },
});
const { url, send } = await startGrown({ contractClients: 'old=1.12' }, store);
const { badge, validUntil } = later;
for (let at = 0; at < 1000; at += 1) {
  const body = JSON.stringify({ id: idOf(at), ...inputOf(at), badge, validUntil });
  const { status, text } = await send('/grown/users', {
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json' },
  });
  if (status !== 201) throw new Error(text);
}
process.stderr.write(`Listening on ${url}/users\n`);
