/** Receivers and entries of the change log, for tests of webhooks. */
import type { Receiver } from '../../../src/adapters/webhooks/receivers.ts';
import type { Entry } from '../../../src/domain/changes/change.ts';

export const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

export const aReceiver = (members: Partial<Receiver> = {}): Receiver => ({
  ...{ id: 'payroll', url: 'http://127.0.0.1:9/', secrets: [Buffer.alloc(32, 1)], types: undefined },
  ...{ filter: undefined, notBy: undefined, format: 'json', content: 'thin', headers: {} },
  ...{ timeout: 1_000, concurrency: 4, start: 'now', mark: 'a file' },
  ...members,
});

export const anEntry = (members: Partial<Entry> = {}): Entry => ({
  ...{ number: 42, mark: 'Vw8tq1Cz', type: 'user.updated', id: '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10' },
  ...{ version: '3', at: Date.UTC(2026, 0, 2, 3, 4, 5, 678), by: { client: 'hr', via: 'users' } },
  changed: ['/title', '/attributes/shoeSize'],
  values: {
    label: 'ada',
    before: { title: 'Ms', attributes: { shoeSize: '38' } },
    after: { title: 'Countess & more', attributes: { shoeSize: '39' } },
  },
  ...members,
});
