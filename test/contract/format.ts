/** The contract of each format. */

import { expect } from 'chai';
import fc from 'fast-check';
import { type Format, runToEnd } from '../../src/adapters/formats/port/format.ts';
import { UnreadableError } from '../../src/adapters/formats/text/positions.ts';
import { User } from '../../src/domain/kinds/user/user.ts';
import { runs } from '../support/runs.ts';
import { anyUser, largestUser } from '../support/users.ts';
import { anyTotal, listContract } from './format-lists.ts';

/** The names for users in documents. */
export const naming = { one: 'user', many: 'users', namespace: 'urn:user-management:1' };

/** The refusal of a document; fails if it is read, or another error is thrown. */
export function unreadable(reading: () => unknown): UnreadableError {
  try {
    reading();
  } catch (error) {
    if (error instanceof UnreadableError) return error;
    throw error;
  }
  return expect.fail('it was read, though it is not well-formed');
}

/**
 * The suite that each registered format passes.
 * @param usersIn the number of users in a list, read by another library; throws for an incomplete document
 */
export function formatContract(format: Format, usersIn: (list: string) => number): void {
  const codec = format.codec<User>(User, naming);
  const read = (text: string) => runToEnd(codec.read(Buffer.from(text, 'utf8')));

  listContract(format);

  it('reads back each user that it printed, unchanged', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        expect(read(codec.print(user))).to.deep.equal({ value: user, violations: [] });
      }),
      { numRuns: runs(300) },
    );
  });

  it('reads back the largest allowed user', () => {
    const user = largestUser();
    expect(read(codec.print(user)).value).to.deep.equal(user);
  });

  it('prints canonical JSON if it declares that', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const printed = [codec.print(user), codec.list.item(user)].map(
          (text) => text === JSON.stringify(user),
        );
        expect(printed).to.deep.equal([codec.isCanonical, codec.isCanonical]);
      }),
    );
  });

  it('prints what any JSON parser reads back if it declares JSON, and otherwise what no JSON parser accepts', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const reading = () => JSON.parse(codec.print(user));
        if (format.inContracts.body === 'exact') expect(reading()).to.deep.equal(user);
        else expect(reading).to.throw(SyntaxError);
      }),
    );
  });

  it('prints a user the same each time', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        expect(codec.print(user)).to.equal(codec.print(structuredClone(user)));
      }),
    );
  });

  it('prints a list of no, one or several users as a whole document', () => {
    const { open, between, close, item } = codec.list;
    fc.assert(
      fc.property(fc.array(anyUser(), { maxLength: 4 }), anyTotal, (users, total) => {
        expect(usersIn(open({ total }) + users.map(item).join(between) + close)).to.equal(users.length);
      }),
    );
  });

  it('refuses a document that ends too early, without repeating its content', () => {
    fc.assert(
      fc.property(anyUser(), fc.nat(), (user, cut) => {
        const secret = { ...user, userName: 'SECRETSECRET' };
        const whole = codec.print(secret);
        const error = unreadable(() => read(whole.slice(0, cut % whole.length)));
        expect(error.message).not.to.include('SECRET');
      }),
    );
  });

  it('refuses a document with other content around it, without repeating the content', () => {
    const whole = codec.print(largestUser());
    for (const extra of ['SECRET', '<SECRET/>', '{"SECRET":1}', '&SECRET;', whole]) {
      expect(unreadable(() => read(whole + extra)).message).not.to.include('SECRET');
      if (extra !== whole) expect(unreadable(() => read(extra + whole)).message).not.to.include('SECRET');
    }
  });

  it('refuses an empty body as empty', () => {
    for (const nothing of ['', ' ', '\r\n\t'])
      expect(unreadable(() => read(nothing)).message).to.equal('the body is empty');
  });

  it('refuses bytes in another encoding than declared', () => {
    const bytes = Buffer.from(codec.print(largestUser()), 'latin1');
    bytes[bytes.indexOf('&')] = 0xe9;
    expect(unreadable(() => runToEnd(codec.read(bytes))).message).to.match(/the bytes are not/);
  });

  it('refuses any bytes that it can’t read, and never fails in another way', () => {
    const whole = codec.print(largestUser()).slice(0, 600);
    const spoilt = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 5 })
      .map((changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(spoilt, fc.uint8Array().map(Buffer.from)), (bytes) => {
        try {
          runToEnd(codec.read(Buffer.from(bytes)));
        } catch (error) {
          expect(error).to.be.instanceOf(UnreadableError);
        }
      }),
      { numRuns: runs(500) },
    );
  });
}
