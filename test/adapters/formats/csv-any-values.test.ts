import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { csv } from '../../../src/adapters/formats/csv/csv.ts';
import { shapeOf } from '../../../src/adapters/formats/port/schema-shapes.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { printFile, readFile } from '../../contract/file-format.ts';
import { runs } from '../../support/runs.ts';
import { tidyText } from '../../support/tidy-users.ts';

describe('A table of any values in CSV', () => {
  it('can leave out empty members, since no user has one', () => {
    const canBeEmpty = (schema: Type.TSchema, path: string): readonly string[] => {
      const kind = shapeOf(schema);
      const { required } = schema as { readonly required?: readonly string[] };
      const { minLength, pattern, format, type, minItems, minProperties } = schema as Readonly<
        Record<string, unknown>
      >;
      if (kind.is === 'value') {
        const mayBe =
          minLength === undefined && (pattern === undefined || new RegExp(String(pattern), 'u').test(''));
        return type === 'string' && mayBe && format === undefined ? [path] : [];
      }
      const bound = { list: minItems, map: minProperties, object: minProperties ?? required?.length }[
        kind.is
      ];
      const within =
        kind.is === 'object'
          ? [...kind.members].flatMap(([name, of]) => canBeEmpty(of, `${path}.${name}`))
          : canBeEmpty(kind.of, `${path}.*`);
      return Number(bound) > 0 ? within : [path, ...within];
    };
    expect(canBeEmpty(User, 'user')).to.deep.equal([]);
  });

  it('has one column for each key of a map, whatever the key, and round-trips every list of texts', async () => {
    const text = fc
      .oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('|', '\\', '\\|', '|\\', '\\\\'))
      .map((value) => tidyText(value) || '-');
    const key = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '.', '\\', 'a.b', 'a\\.b', '__proto__', 'constructor', ' ', '"', ',', '\n'),
    );
    const schema = Type.Object({
      deep: Type.Optional(
        Type.Record(
          Type.String({ pattern: '^[\\s\\S]*$' }),
          Type.Object({ x: Type.Array(Type.String(), { item: 'x' }) }),
          {
            entry: 'entry',
          },
        ),
      ),
    });
    const odd = csv.codec<User>(schema, { one: 'x', many: 'xs', namespace: 'urn:x' });
    const maps = fc.dictionary(key, fc.record({ x: fc.array(text, { minLength: 1, maxLength: 4 }) }), {
      minKeys: 1,
      maxKeys: 5,
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(maps, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (all, spreadsheet) => {
          const values = all.map((deep) => ({ deep })) as unknown as User[];
          const { rows, error } = await readFile(odd, printFile(odd, values, { spreadsheet }), {
            spreadsheet,
          });
          expect(error).to.equal(undefined);
          expect(rows.map(({ value }) => value)).to.deep.equal(values);
        },
      ),
      { numRuns: runs(300) },
    );
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });
});
