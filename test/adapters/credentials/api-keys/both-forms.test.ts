import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { apiKeys } from '../../../../src/adapters/credentials/api-keys/authenticator.ts';
import { addKey } from '../../../../src/adapters/credentials/api-keys/change-keys.ts';
import { isKeyId } from '../../../../src/adapters/credentials/api-keys/key-file.ts';
import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import { isTokenShaped } from '../../../../src/adapters/credentials/jwt/jws.ts';
import { refusal } from '../../../contract/authenticator.ts';
import { anyText } from '../../../support/any-text.ts';
import { runs } from '../../../support/runs.ts';
import { clock } from '../jwt/tokens.ts';

const piece = fc.constantFrom(
  '.',
  '..',
  ' ',
  '=',
  'e30',
  'eyJhbGciOiJIUzI1NiJ9',
  'erp',
  'ü',
  '世',
  '😀',
  '"',
  ',',
);
/** Those that `addKey` takes. */
const ids = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    anyText({ minLength: 1, maxLength: 20 }),
    fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
  )
  .filter((id) => isKeyId(id) && !id.startsWith(' ') && !isTokenShaped(`${id}.AAAA`));

interface Change {
  /** Between 0 and 1: from the beginning to the end. */
  readonly place: number;
  readonly removes: boolean;
  /** Undefined: puts nothing in. */
  readonly puts: number | undefined;
}
const changes: fc.Arbitrary<Change> = fc
  .record({
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    removes: fc.boolean(),
    puts: fc.option(fc.nat(255), { nil: undefined }),
  })
  .filter(({ removes, puts }) => removes || puts !== undefined);

/** One character replaced, taken out or put in. */
function change(text: string, { place, removes, puts }: Change): string {
  const at = Math.floor(place * text.length);
  const isSame = removes && puts === text.charCodeAt(at);
  const put = puts === undefined ? '' : String.fromCharCode(isSame ? (puts + 1) % 256 : puts);
  return text.slice(0, at) + put + text.slice(removes ? at + 1 : at);
}

describe('An API key in either of its forms', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  const file = join(folder, 'api-keys.json');
  after(() => rmSync(folder, { recursive: true }));

  /** A new key for `id`, the only one that is taken, as each scheme brings it. */
  function make(id: string) {
    rmSync(file, { force: true });
    const secret = addKey(file, { id, scopes: ['users:read'] });
    const keys = apiKeys({ file, maxStaleSeconds: 60, onProblem: expect.fail }, clock);
    return [
      [keys.basic, Buffer.from(`${id}:${secret}`).toString('base64')],
      [bearerAuthenticator(keys.bearer), Buffer.from(`${id}.${secret}`).toString('latin1')],
    ] as const;
  }

  it('is accepted with any id and secret, and refused with any one character changed', async () => {
    const property = fc.asyncProperty(ids, fc.array(changes, { minLength: 20 }), async (id, all) => {
      for (const [authenticator, credentials] of make(id)) {
        expect((await authenticator.authenticate(credentials)).id).to.equal(id);
        for (const one of all) {
          const { code } = await refusal(authenticator, change(credentials, one));
          expect(code).to.equal('unauthenticated');
        }
        await authenticator.close();
      }
    });
    await fc.assert(property, { numRuns: runs(300) });
  });

  it('is refused with any of its characters replaced by its neighbour', async () => {
    for (const [authenticator, credentials] of make('erp.eu')) {
      for (let at = 0; at < credentials.length; at += 1) {
        const neighbour = { place: (at + 0.5) / credentials.length, removes: true };
        const changed = change(credentials, { ...neighbour, puts: credentials.charCodeAt(at) + 1 });
        expect((await refusal(authenticator, changed)).code).to.equal('unauthenticated');
      }
      await authenticator.close();
    }
  });
});
