/** The contract of each format that reads lists. */

import { expect } from 'chai';
import fc from 'fast-check';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import type { FileCodec, FileEncoding } from '../../src/adapters/formats/port/file-format.ts';
import type { Format, Parsed } from '../../src/adapters/formats/port/format.ts';
import { type Position, UnreadableError } from '../../src/adapters/formats/text/positions.ts';
import { User } from '../../src/domain/kinds/user/user.ts';
import { aUser } from '../support/a-user.ts';
import { runs } from '../support/runs.ts';
import { anyUser, largestUser } from '../support/users.ts';

/** In UTF-16 code units: the limit of a body in bytes. */
export const maxItemLength = 256 * 1024;

/** Divides into chunks of these sizes, in turns. */
async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let from = 0, at = 0; from < bytes.length; at += 1) {
    const size = sizes[at % sizes.length] ?? 1;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

const anySizes = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
);

/** The total of a page, which may differ from the number of its users. */
export const anyTotal = fc.option(fc.nat(), { nil: undefined });

interface ListItem extends Parsed {
  readonly position: Position;
}

type Lists = Pick<FileCodec<unknown>, 'read'>;

/** The reader for files in this format, which are lists of users as the format prints them. */
export const listsOf = ({ name }: Pick<Format, 'name'>): Lists => {
  const format = fileFormats.find((one) => one.name === name) ?? expect.fail(`no files in ${name}`);
  return format.codec<User>(User, { one: 'user', many: 'users', namespace: 'urn:user-management:1' });
};

/** All entries that were read, and the error that ended the reading. Fails if that is no refusal, or has no place. */
async function readingOf(lists: Lists, chunks: AsyncIterable<Uint8Array>, charset?: string) {
  const items: ListItem[] = [];
  const options = { encoding: charset as FileEncoding | undefined, maxRowLength: maxItemLength };
  try {
    for await (const batch of lists.read(chunks, options))
      items.push(...batch.map(({ value, violations, position }) => ({ value, violations, position })));
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    expect(error.position, error.message).to.have.keys(['line', 'column']);
    return { items, error };
  }
  return { items, error: undefined };
}

/** Reads a list from text in UTF-8, or from bytes. */
export const readList = (
  lists: Lists,
  list: string | Uint8Array,
  sizes: readonly number[] = [64],
  charset?: string,
) => readingOf(lists, chunksOf(typeof list === 'string' ? Buffer.from(list) : list, sizes), charset);

/** The error that ends the reading; fails without one. */
export async function refusedList(...parameters: Parameters<typeof readList>): Promise<UnreadableError> {
  const { error } = await readList(...parameters);
  return error ?? expect.fail('it was read, though it is no list');
}

export function listContract(format: Format): void {
  const codec = format.codec<User>(User, { one: 'user', many: 'users', namespace: 'urn:user-management:1' });
  const lists = listsOf(format);
  const { open, between, close, item } = codec.list;
  const print = (users: readonly User[], total?: number): string =>
    open({ total }) + users.map(item).join(between) + close;
  const usersOf = (items: readonly ListItem[]): unknown[] =>
    items.map(({ value, violations }) => {
      expect(violations).to.deep.equal([]);
      return value;
    });

  it('reads back each list that it printed, in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyUser(), { maxLength: 4 }),
        anySizes,
        anyTotal,
        async (users, sizes, total) => {
          const { items, error } = await readList(lists, print(users, total), sizes);
          expect(error).to.equal(undefined);
          expect(usersOf(items)).to.deep.equal(users);
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it('knows where each entry of a list begins', async () => {
    const users = [aUser({ title: 'a\nb' }), largestUser(), aUser()];
    let before = open();
    const places = users.map((user) => {
      const lines = before.split('\n');
      before += item(user) + between;
      return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    });
    for (const sizes of [[1], [1000]]) {
      const { items } = await readList(lists, print(users), sizes);
      expect(items.map(({ position }) => position)).to.deep.equal(places);
    }
  });

  it('yields a list in batches as it arrives, and reads no further than requested', async () => {
    let taken = 0;
    let isClosed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from(open());
        for (;;) {
          taken += 1;
          yield Buffer.from(item(largestUser()) + between);
        }
      } finally {
        isClosed = true;
      }
    }
    let seen = 0;
    for await (const batch of lists.read(endless(), { maxRowLength: maxItemLength })) {
      seen += batch.length;
      for (const { value } of batch) expect(value).to.deep.include({ userName: 'largest' });
      expect(taken).to.be.within(seen, seen + 1);
      if (seen >= 20) break;
    }
    expect(isClosed).to.equal(true);
  });

  it('reads the largest allowed entry of a list, and refuses a larger one with its place', async () => {
    const [first, largest] = [aUser(), largestUser()];
    const list = Buffer.from(print([first, largest]));
    for (const [less, sizes] of [0, 1].flatMap((one) => [[1], [100_000]].map((two) => [one, two] as const))) {
      const options = { maxRowLength: item(largest).length - less };
      const items: unknown[] = [];
      const reading = (async () => {
        for await (const batch of lists.read(chunksOf(list, sizes), options))
          items.push(...batch.map(({ value }) => value));
      })();
      const error = await reading.then(
        () => undefined,
        (reason: unknown) => reason as UnreadableError,
      );
      expect(items).to.deep.equal(less === 0 ? [first, largest] : [first]);
      if (less === 0) expect(error).to.equal(undefined);
      else expect(error).to.be.instanceOf(UnreadableError);
      if (less > 0) expect(error?.position).to.deep.equal((await readList(lists, list)).items[1]?.position);
    }
  });

  it('refuses an endless entry at the size limit', async () => {
    const name = 'SECRET'.repeat(10);
    const text = item(aUser({ displayName: name }));
    const beginning = open() + text.slice(0, text.indexOf(name));
    let taken = 0;
    async function* gigabyte(): AsyncGenerator<Buffer> {
      yield Buffer.from(beginning);
      for (; taken < 2 ** 30; taken += 2 ** 16) yield Buffer.alloc(2 ** 16, 'SECRET');
    }
    const { items, error } = await readingOf(lists, gigabyte());
    expect(items).to.deep.equal([]);
    expect(error?.message).to.match(/more than 262144 characters/);
    expect(taken).to.be.below(2 * maxItemLength);
  });

  it('refuses a list that ends too early, with the place, after its complete entries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyUser(), { maxLength: 3 }),
        fc.nat(),
        anySizes,
        async (users, cut, sizes) => {
          const whole = print(users);
          const { items, error } = await readList(lists, whole.slice(0, cut % whole.length), sizes);
          expect(usersOf(items)).to.deep.equal(users.slice(0, items.length));
          // A format without an end mark reads a list that was cut between two entries.
          if (close !== '') expect(error).to.be.instanceOf(UnreadableError);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('refuses a list with other content around it, without repeating the content', async () => {
    const list = print([largestUser()]);
    for (const extra of ['SECRET', '<SECRET/>', '{"SECRET":1}', '&SECRET;', list]) {
      expect((await refusedList(lists, list + extra)).message).not.to.include('SECRET');
      if (extra !== list) expect((await refusedList(lists, extra + list)).message).not.to.include('SECRET');
    }
  });

  it('reads an empty list, and refuses an empty document as empty', async () => {
    expect(await readList(lists, print([]))).to.deep.equal({ items: [], error: undefined });
    for (const nothing of ['', ' ', '\r\n\t']) {
      const { message, position } = await refusedList(lists, nothing);
      expect([message, position]).to.deep.equal(['the document is empty', { line: 1, column: 1 }]);
    }
  });

  it('refuses one user instead of a list, unless a list of one looks the same', async () => {
    const user = largestUser();
    const { items, error } = await readList(lists, codec.print(user));
    if (codec.print(user) === print([user])) expect(usersOf(items)).to.deep.equal([user]);
    else expect(error).to.be.instanceOf(UnreadableError);
  });

  it('reads the entries before bytes that are not in the declared encoding, and then reports the place of these bytes', async () => {
    const users = [aUser(), aUser({ title: 'X' }), aUser()];
    const list = Buffer.from(print(users));
    const at = list.indexOf('X');
    const lines = list.subarray(0, at).toString().split('\n');
    for (const wrong of [[0xe9], [0xff], [0xc3], [0xed]]) {
      list.set(wrong, at);
      for (const sizes of [[1], [list.length]]) {
        const { items, error } = await readList(lists, list, sizes);
        expect(usersOf(items)).to.deep.equal([users[0]]);
        expect(error?.message).to.match(/the (?:bytes are|file is) not /);
        expect(error?.position).to.deep.equal({
          line: lines.length,
          column: (lines.at(-1)?.length ?? 0) + 1,
        });
      }
    }
  });

  it('refuses any damaged list with the place, and never fails in another way', async () => {
    const whole = Buffer.from(print([aUser(), aUser({ roles: ['a'], attributes: { b: 'c' } })]));
    const marks = fc.constantFrom(...Buffer.from('{}[]",:\\<>/&;!?-=\' \n\r'), 0, 0xff);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.oneof(marks, fc.integer({ min: 0, max: 255 })));
    const spoilt = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, byte] of changes) bytes[at] = byte;
      return bytes;
    });
    await fc.assert(
      fc.asyncProperty(spoilt, async (bytes) => {
        const { items } = await readList(lists, bytes, [bytes.length]);
        expect(items.length).to.be.at.most(4);
      }),
      { numRuns: runs(10_000) },
    );
  });
}
