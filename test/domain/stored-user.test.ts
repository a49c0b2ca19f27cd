import { expect } from 'chai';
import fc from 'fast-check';
import { KeptUser } from '../../src/domain/stored-user.ts';
import { anyUser } from '../support/users.ts';

describe('A user as a store hands it out', () => {
  it('is the same from its text and from its value, whichever is asked for first', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const text = JSON.stringify(user);
        for (const kept of [() => KeptUser.of(user), () => KeptUser.fromText(text)]) {
          expect(kept().text).to.equal(text);
          expect(kept().user).to.deep.equal(JSON.parse(text));
          expect(kept().meta).to.deep.equal(user.meta);
          expect(kept().id).to.equal(user.id);
        }
      }),
    );
  });

  it('has its meta wherever that stands, and not from what only looks like it', () => {
    const meta = { created: 'a', lastModified: 'b', version: 'c"}}' };
    const decoy = '"meta":{"created":"x","lastModified":"y","version":"z"}}';
    const texts = [
      { id: 'i', userName: 'u', active: true, meta, roles: ['last'] },
      { id: 'i', userName: 'u', active: true, attributes: { note: decoy }, meta },
      { id: 'i', userName: 'u', active: true, meta, attributes: { note: decoy } },
    ].map((user) => JSON.stringify(user));
    for (const text of texts) expect(KeptUser.fromText(text).meta).to.deep.equal(meta);
  });
});
