import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { fileFormats } from '../../../src/adapters/formats/file-formats.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { validator } from '../../../src/domain/validation/schema-validator.ts';
import { printFile, readFile } from '../../contract/file-format.ts';
import { naming } from '../../contract/format.ts';
import { fullestUser } from '../../support/fullest-user.ts';
import { userCodec } from '../../support/kinds.ts';
import { runs } from '../../support/runs.ts';
import { tidyUser } from '../../support/tidy-users.ts';
import { anyUser, largestUser } from '../../support/users.ts';

const validateUser = validator(User);
const validate = (user: unknown) => {
  const { value, violations } = validateUser(user);
  return { value, violations };
};

/** With one member more of each kind that there is. */
const Wider = Type.Object(
  {
    ...User.properties,
    shoe: Type.Optional(
      Type.Object({
        isLeft: Type.Boolean(),
        colours: Type.Array(Type.String(), { item: 'colour' }),
        marks: Type.Array(Type.Object({ text: Type.String() }), { item: 'mark' }),
        notes: Type.Record(Type.String({ pattern: '^[a-z.]+$' }), Type.String(), { entry: 'note' }),
      }),
    ),
  },
  { additionalProperties: false },
);
const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 3 });

for (const format of fileFormats) {
  const codec = userCodec(format);
  // A table loses blanks at the ends of texts: csv-blanks.test.ts.
  const someUsers = fc.array(format.hasColumns ? anyUser().map(tidyUser) : anyUser(), { maxLength: 5 });

  describe(`A file of users in ${format.name}`, () => {
    it('has new members as soon as the schema has them', async () => {
      const wider = format.codec<User>(Wider, naming);
      const shoe = {
        isLeft: true,
        colours: ['red', 'a|b'],
        marks: [{ text: 'x' }, { text: 'y' }],
        notes: { 'a.b': '1', c: '2' },
      };
      const users = [{ ...fullestUser(), shoe }, fullestUser()];
      const { rows } = await readFile(wider, printFile(wider, users));
      expect(rows.map(({ value }) => value)).to.deep.equal(users);
    });

    it('is read as the users that were printed, for any chunks', async () => {
      await fc.assert(
        fc.asyncProperty(someUsers, sizes, async (users, pieces) => {
          const { rows, error } = await readFile(codec, printFile(codec, users), { sizes: pieces });
          expect(error).to.equal(undefined);
          expect(rows.flatMap(({ violations }) => violations)).to.deep.equal([]);
          expect(rows.map(({ value }) => validate(value))).to.deep.equal(users.map((user) => validate(user)));
          // The columns of a table have one order for all users.
          if (format.hasColumns) return;
          expect(rows.map(({ value }) => JSON.stringify(validate(value).value))).to.deep.equal(
            users.map((user) => JSON.stringify(user)),
          );
        }),
        { numRuns: runs(300) },
      );
    });

    it('can have the user with the most members, and the largest user', async () => {
      for (const user of [fullestUser(), largestUser()]) {
        const { rows } = await readFile(codec, printFile(codec, [user]));
        expect(rows.map(({ value }) => validate(value).value)).to.deep.equal([user]);
      }
    });

    it('may have no users', async () => {
      const { rows, error } = await readFile(codec, printFile(codec, []));
      expect([rows, error]).to.deep.equal([[], undefined]);
    });

    it('has the whole row of each user, with its place', async () => {
      await fc.assert(
        fc.asyncProperty(someUsers, sizes, async (users, pieces) => {
          const file = printFile(codec, users);
          const { rows } = await readFile(codec, file, { sizes: pieces });
          const { row } = codec.printer({ columns: columnsOf(users) });
          expect(rows.map(({ text }) => text)).to.deep.equal(
            users.map((user) => row(user).replace(/\r?\n$/, '')),
          );
        }),
        { numRuns: runs(100) },
      );
    });

    const columnsOf = (users: readonly User[]): readonly string[] => {
      const collector = codec.collectColumns?.();
      for (const user of users) collector?.add(user);
      return collector?.columns() ?? [];
    };
  });
}
