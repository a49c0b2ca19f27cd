import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { memoryDeliveries } from '../../../src/adapters/stores/memory/index.ts';
import type { DeliveryStore } from '../../../src/adapters/stores/port/delivery-store.ts';
import { sqliteDeliveries } from '../../../src/adapters/stores/sqlite/deliveries.ts';
import { type DeliveryPlace, deliveryStoreCases, takeLease } from '../../contract/delivery-store.ts';

describe('What webhooks keep in memory', () => {
  deliveryStoreCases((run) => run({ open: memoryDeliveries }), false);
});

/** Runs with handles on files of its own. */
async function inAFolder(
  run: (place: DeliveryPlace & { readonly file: string }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'deliveries-'));
  const file = join(folder, 'users.db');
  const opened: DeliveryStore[] = [];
  const open = () => {
    const store = sqliteDeliveries(file);
    opened.push(store);
    return store;
  };
  try {
    await run({ open, file });
  } finally {
    for (const store of opened) await store.close();
    rmSync(folder, { recursive: true });
  }
}

describe('The state of webhooks beside a SQLite file', () => {
  deliveryStoreCases(inAFolder, true);

  it('is readable only by the owner of the file', () =>
    inAFolder(async ({ open, file }) => {
      await open().hold();
      for (const name of ['', '-wal', '-lock'])
        expect(statSync(`${file}-webhooks${name}`).mode & 0o077).to.equal(0);
    }));

  it('can be taken over at once when its holder is killed', () =>
    inAFolder(async ({ open, file }) => {
      const child: ChildProcess = fork(resolve('test/adapters/stores/delivery-holder.ts'), [file]);
      const [fence] = await once(child, 'message');
      const store = open();
      expect(await store.hold()).to.equal(undefined);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(await takeLease(store)).to.be.above(fence);
    }));
});
