import { expect } from 'chai';
import fc from 'fast-check';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { anyUser } from '../support/users.ts';

describe('A stored user', () => {
  it('is the same by its text and by its value, whichever is read first', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const text = JSON.stringify(user);
        for (const stored of [() => Stored.of(user), () => new Stored<User>(text)]) {
          expect(stored().text).to.equal(text);
          expect(stored().value).to.deep.equal(JSON.parse(text));
          expect(stored().meta).to.deep.equal(user.meta);
          expect(stored().id).to.equal(user.id);
        }
      }),
    );
  });

  it('does not change with the value that it was made from, or with values that it returned', () => {
    const user = aUser({ roles: ['first'] });
    const text = JSON.stringify(user);
    const stored = Stored.of(user);
    user.roles?.push('second');
    stored.copy().roles?.push('third');
    expect(stored.value.roles).to.deep.equal(['first']);
    stored.value.roles?.push('fourth');
    expect([stored.text, JSON.stringify(stored.copy())]).to.deep.equal([text, text]);
  });

  it('finds its meta wherever it stands, and nothing that only looks like it', () => {
    const meta = { created: 'a', lastModified: 'b', version: 'c"}}' };
    const decoy = '"meta":{"created":"x","lastModified":"y","version":"z"}}';
    const texts = [
      { id: 'i', userName: 'u', active: true, meta, roles: ['last'] },
      { id: 'i', userName: 'u', active: true, attributes: { note: decoy }, meta },
      { id: 'i', userName: 'u', active: true, meta, attributes: { note: decoy } },
    ].map((user) => JSON.stringify(user));
    for (const text of texts) expect(new Stored<User>(text).meta).to.deep.equal(meta);
  });
});
