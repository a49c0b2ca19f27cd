import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  cursorLengths,
  makeListCursor,
  parseListCursor,
} from '../../../../src/adapters/apis/resources/cursor.ts';
import {
  type CursorParts,
  cursorScope as scopeOf,
} from '../../../../src/adapters/apis/resources/list-query.ts';
import type { Place } from '../../../../src/domain/find/sorts.ts';
import { aUser } from '../../../support/a-user.ts';
import { anyText } from '../../../support/any-text.ts';
import { sortNames, userDefinition } from '../../../support/kinds.ts';
import { runs } from '../../../support/runs.ts';
import { type Directory, startDirectory, storeOf } from './a-directory.ts';

const text = (maxLength: number) => anyText({ minLength: 1, maxLength });
const cursorScope = (parts: CursorParts) => scopeOf(userDefinition.kind, parts);

const lists: fc.Arbitrary<CursorParts> = fc.record({
  filters: fc.record(
    {
      ...{ userName: text(5), role: text(5), 'role.in': fc.array(text(5), { minLength: 1, maxLength: 3 }) },
      ...{ 'role.exists': fc.constantFrom('true', 'false'), 'role.not': text(5) },
    },
    { requiredKeys: [] },
  ),
  search: fc.option(text(5), { nil: undefined }),
  sort: fc.record({ by: fc.constantFrom(...sortNames), descending: fc.constant(true) }, { requiredKeys: [] }),
});
const positions = fc.record({ id: fc.uuid(), key: text(128) }, { requiredKeys: ['id'] });
const places: fc.Arbitrary<readonly [CursorParts, Place]> = fc
  .tuple(lists, fc.oneof(positions, fc.constant('end' as const)))
  .map(([list, place]) => [list, place === 'end' || list.sort.by !== undefined ? place : { id: place.id }]);

/** With a checksum that is right, over any bytes. */
function sealed(bytes: Uint8Array): string {
  const parameters = ['user', ['sort', 'userName', false]];
  const checksum = createHash('sha256').update(bytes).update(JSON.stringify(parameters)).digest();
  return Buffer.concat([bytes, checksum.subarray(0, 8)]).toString('base64url');
}

describe('A cursor', () => {
  it('restores the position that it was made from, in the published characters and lengths', () => {
    fc.assert(
      fc.property(places, ([list, place]) => {
        const scope = cursorScope(list);
        const cursor = makeListCursor(place, scope);
        expect(cursor).to.match(/^[A-Za-z0-9_-]+$/);
        expect(cursor.length).to.be.within(cursorLengths.end, cursorLengths.longest);
        expect(parseListCursor(cursor, scope)).to.deep.equal(place);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('works only with its parameters', () => {
    fc.assert(
      fc.property(places, lists, ([list, place], other) => {
        fc.pre(JSON.stringify(list) !== JSON.stringify(other));
        expect(parseListCursor(makeListCursor(place, cursorScope(list)), cursorScope(other))).to.equal(
          undefined,
        );
      }),
      { numRuns: runs(1000) },
    );
  });

  it('is refused when it was truncated, changed or invented', () => {
    fc.assert(
      fc.property(places, fc.nat(), fc.string(), ([list, place], at, other) => {
        const scope = cursorScope(list);
        const cursor = makeListCursor(place, scope);
        const cut = at % cursor.length;
        const changed = cursor.slice(0, cut) + (cursor[cut] === 'A' ? 'B' : 'A') + cursor.slice(cut + 1);
        for (const wrong of [cursor.slice(0, cut), changed, `${cursor}A`, `${cursor}=`, ` ${cursor}`, other])
          expect(parseListCursor(wrong, scope), wrong).to.equal(undefined);
      }),
      { numRuns: runs(1000) },
    );
  });

  describe('from a client, with a correct checksum,', () => {
    let directory: Directory;
    before(async () => {
      directory = await startDirectory();
      directory.use(await storeOf([aUser(), aUser()]));
    });
    after(() => directory.service.close());
    const statusOf = async (cursor: string, name: string) => {
      const query = `limit=1&sort=userName&${name}=${cursor}`;
      return (await directory.service.send(`/users?${query}`)).status;
    };

    it('is a position in the list or is refused, whatever it contains', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ maxLength: 600 }),
          fc.constantFrom('after', 'before'),
          async (bytes, name) => {
            expect(await statusOf(sealed(bytes), name)).to.be.oneOf([200, 400]);
          },
        ),
        { numRuns: runs(300) },
      );
    });

    it('is refused when its key is not a text, or is too long for a key', async () => {
      const id = Buffer.alloc(16, 1);
      const keyed = (key: Uint8Array | string) => sealed(Buffer.concat([id, Buffer.from(key)]));
      expect(await statusOf(keyed('\u{1F600}'.repeat(128)), 'before')).to.equal(200);
      for (const key of ['x'.repeat(129), Buffer.from([0xff]), Buffer.from([0xed, 0xa0, 0x80])])
        expect(await statusOf(keyed(key), 'before')).to.equal(400);
      for (const bytes of [Buffer.alloc(15), Buffer.alloc(1)])
        expect(await statusOf(sealed(bytes), 'after')).to.equal(400);
    });
  });
});
