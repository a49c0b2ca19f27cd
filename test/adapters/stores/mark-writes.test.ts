/** What marking the writes costs, by the number of access profiles. */
import { expect } from 'chai';
import { markWrites } from '../../../src/adapters/stores/mark-writes.ts';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { kindsOf } from '../../../src/domain/kinds.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import type { Write } from '../../../src/domain/store.ts';
import { aUser } from '../../support/a-user.ts';
import { profilesIn } from '../../support/profiles.ts';
import { overridden } from '../../support/stores.ts';

/** A store that keeps what it gets, and the writes. */
function marking(profiles: string) {
  const written: Write[] = [];
  const store = overridden(memoryStore(), {
    commit: async (writes) => {
      written.push(...writes);
      return [];
    },
  });
  const all = [...profilesIn(profiles).values()];
  return { written, store: markWrites(store, kindsOf(), { find: () => undefined, all }) };
}

const departments = Array.from(
  { length: 50 },
  (_, at) => `p${at}: { users: { where: { department: 'D${at}' }, read: '*' } }`,
);
const by = { client: 'tested', via: 'test' };

describe('The marks of a write', () => {
  it('read each member once, however many profiles have a filter', async () => {
    const { store, written } = marking(`{ ${departments.join(', ')} }`);
    const { id, enterprise, ...rest } = aUser({ enterprise: { department: 'D7' } });
    let reads = 0;
    const value = {
      ...{ id, ...rest },
      get enterprise() {
        reads += 1;
        return enterprise;
      },
    };
    const next = Object.defineProperty(Stored.of(value), 'value', { value });
    await store.commit([{ kind: 'user', op: 'create', id, next }], by);
    const marks = Object.values(written[0]?.inside ?? {});
    expect(marks).to.have.length(departments.length);
    expect(marks.filter((mark) => mark > 0)).to.deep.equal([2]);
    // Once by Stored.of.
    expect(reads).to.equal(2);
  });

  it('are one for profiles with the same filter', async () => {
    const rules = "{ users: { where: { active: true }, read: '*' } }";
    const { store, written } = marking(`{ one: ${rules}, other: ${rules} }`);
    const user = aUser();
    await store.commit([{ kind: 'user', op: 'create', id: user.id, next: Stored.of(user) }], by);
    expect(Object.values(written[0]?.inside ?? {})).to.deep.equal([2]);
  });
});
