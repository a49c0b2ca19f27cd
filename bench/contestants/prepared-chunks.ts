/** The floor of a whole list: bare node:http writes chunks from memory as fast as the client reads them. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { loadSettings } from '../../src/config/settings.ts';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { Position } from '../../src/domain/find/sorts.ts';
import { openSqliteStore } from '../../test/support/stores.ts';
import { announce } from './announce.ts';

/** As many as the service reads at once. */
const usersInChunk = 100;

async function prepareChunks(file: string): Promise<Buffer[]> {
  const store = await openSqliteStore({
    file,
    onFatal: (cause) => {
      throw cause;
    },
  });
  const chunks: Buffer[] = [];
  let lead = '{"users":[';
  for (let after: Position = { id: '' }; ; ) {
    const users = await store.list({ where: matchAll, after, limit: usersInChunk });
    if (users.length > 0) chunks.push(Buffer.from(lead + users.map(({ text }) => text).join()));
    lead = ',';
    if (users.length < usersInChunk) break;
    after = { id: users.at(-1)?.id ?? '' };
  }
  await store.close();
  return [...chunks, Buffer.from(']}')];
}

const chunks = await prepareChunks((await loadSettings()).sqlite.file);
const server = createServer(async (_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  for (const chunk of chunks) if (!response.write(chunk)) await once(response, 'drain');
  response.end();
});
server.listen(0, '127.0.0.1', () => announce(server));
