import { expect } from 'chai';
import fc from 'fast-check';
import type { TObject } from 'typebox';
import { BooleanWords } from '../../../src/adapters/formats/csv/cells.ts';
import { csv } from '../../../src/adapters/formats/csv/csv.ts';
import { fileFormats, xmlFile } from '../../../src/adapters/formats/file-formats.ts';
import { jsonFile } from '../../../src/adapters/formats/json/file.ts';
import type { FileCodec, FileFormat } from '../../../src/adapters/formats/port/file-format.ts';
import { runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { compilePrinter, interpretPrinter } from '../../../src/adapters/formats/xml/print.ts';
import { createXml, xml } from '../../../src/adapters/formats/xml/xml.ts';
import { codecOf } from '../../../src/commands/file-options.ts';
import { type Declarations, parseDeclarations } from '../../../src/domain/kinds/attributes/declaration.ts';
import type { Kind } from '../../../src/domain/kinds/kind.ts';
import { userKindWith } from '../../../src/domain/kinds/user/kind.ts';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { ReadInput } from '../../../src/domain/resource/build.ts';
import { splitItems } from '../../../src/domain/validation/attribute-types.ts';
import { DomainError, type Violation } from '../../../src/domain/validation/errors.ts';
import { validator } from '../../../src/domain/validation/schema-validator.ts';
import { printFile, readFile } from '../../contract/file-format.ts';
import { naming } from '../../contract/format.ts';
import { anyDeclarations, anyDeclared, anyUserWith, anyValueOf } from '../../support/declarations.ts';
import { runs } from '../../support/runs.ts';
import { tidyText, tidyUser } from '../../support/tidy-users.ts';
import { text } from '../../support/users.ts';

const kindOf = (declarations: Declarations) => userKindWith(declarations) as unknown as Kind;
const codecFor = (kind: Kind, format: FileFormat) => codecOf(kind, format) as unknown as FileCodec<User>;

const withUsers = (minLength = 1) =>
  anyDeclarations.chain((declarations) =>
    fc.tuple(fc.constant(declarations), fc.array(anyUserWith(declarations), { minLength, maxLength: 3 })),
  );

describe('Users with any declared attributes', () => {
  for (const format of fileFormats)
    it(`are the same after a file in ${format.name}, with their types`, async () => {
      await fc.assert(
        fc.asyncProperty(withUsers(), async ([declarations, given]) => {
          const kind = kindOf(declarations);
          const users = format.hasColumns ? given.map(tidyUser) : given;
          const validate = validator(kind.schema);
          const codec = codecFor(kind, format);
          const { rows, error } = await readFile(codec, printFile(codec, users));
          expect(error).to.equal(undefined);
          const read = rows.map(({ value }) => validate(value));
          expect(read.flatMap(({ violations }) => violations)).to.deep.equal([]);
          expect(read.map(({ value }) => value)).to.deep.equal(users);
        }),
        { numRuns: runs(200) },
      );
    });

  it('are the same after one file in each format, from JSON to XML to CSV to JSON', async () => {
    await fc.assert(
      fc.asyncProperty(withUsers(), async ([declarations, given]) => {
        const kind = kindOf(declarations);
        const validate = validator(kind.schema);
        const users = given.map(tidyUser);
        let now = users;
        for (const format of [jsonFile, xmlFile, csv, jsonFile]) {
          const codec = codecFor(kind, format);
          const { rows } = await readFile(codec, printFile(codec, now));
          now = rows.map(({ value }) => validate(value).value as User);
        }
        expect(now).to.deep.equal(users);
      }),
      { numRuns: runs(200) },
    );
  });

  it('are valid input: no value is refused', () => {
    fc.assert(
      fc.property(withUsers(), ([declarations, users]) => {
        const { builder } = kindOf(declarations);
        for (const { meta: _, ...user } of users) builder.readInput(user);
      }),
      { numRuns: runs(200) },
    );
  });

  it('are printed alike in XML by code that is compiled or not, and from their stored text', () => {
    fc.assert(
      fc.property(withUsers(), ([declarations, users]) => {
        const schema = kindOf(declarations).schema as TObject;
        const codec = xml.codec<User>(schema, naming);
        const [compiled, interpreted] = [compilePrinter<User>(schema), interpretPrinter<User>(schema)];
        for (const user of users) {
          expect(codec.transcoder?.print(JSON.stringify(user))).to.equal(codec.print(user));
          expect(codec.transcoder?.item(JSON.stringify(user))).to.equal(codec.list.item(user));
          expect(interpreted(user)).to.equal(compiled(user));
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('are read alike from XML, quickly or not', () => {
    fc.assert(
      fc.property(withUsers(), ([declarations, users]) => {
        const { schema } = kindOf(declarations);
        const [quick, strict] = [xml, createXml(false)].map((format) => format.codec<User>(schema, naming));
        for (const user of users) {
          const bytes = Buffer.from(xml.codec<User>(schema, naming).print(user));
          const read = [quick, strict].map((codec) => codec && runToEnd(codec.read(bytes, 'utf-8')));
          expect(read[0]).to.deep.equal(read[1]);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

/** Texts that are near to values, and others. */
const anyGiven = anyDeclared.chain((declared) => {
  const near = anyValueOf(declared).map((value) => [value].flat().join('\n'));
  const edited = fc.tuple(
    near,
    fc.nat(30),
    fc.constantFrom('', ' ', '-', '0', '.', 'e3', 'x', '\n', ',', '|'),
  );
  const given = fc.oneof(
    near,
    edited.map(([value, at, more]) => (value.slice(0, at) + more + value.slice(at + 1)).toWellFormed()),
    text(1100),
    fc.constantFrom('042', '+1', '1.50', 'TRUE', ' 1 ', '2023-02-29', '9007199254740993', '-0', '1e3', '٣'),
  );
  return fc.tuple(
    fc.constant(declared),
    given.map((value) => tidyText(value) || '-'),
  );
});

/** Whether a table reads a day where the other formats do not. */
function hasOtherDay({ type }: { readonly type: string }, given: string): boolean {
  if (type !== 'date' && type !== 'dateTime') return false;
  const days = given
    .split(/[\n|]/)
    .map((part) => part.trim())
    .filter((part) => /^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?: 0?0:00(?::00)?)?$/.test(part));
  return days.some((day) => type === 'dateTime' || !/^\d{4}-\d{2}-\d{2}$/.test(day));
}

describe('A text that is given for a declared attribute', () => {
  /** The value, or why it is refused. */
  async function take(kind: Kind, format: FileFormat, printed: string): Promise<unknown> {
    const { rows, error } = await readFile(codecFor(kind, format), printed);
    expect([rows.length, error]).to.deep.equal([1, undefined]);
    const { value, violations = [] } = rows[0] ?? {};
    try {
      return Reflect.get(kind.builder.readInput(new ReadInput({ value, violations })), 'attributes') ?? {};
    } catch (thrown) {
      if (!(thrown instanceof DomainError)) throw thrown;
      return (thrown.violations as readonly Violation[]).map(({ pointer, detail }) => `${pointer} ${detail}`);
    }
  }

  it('is the same value in JSON, XML and CSV, or is refused with the same pointers and reasons', async () => {
    const words = new BooleanWords();
    await fc.assert(
      fc.asyncProperty(anyGiven, async ([declared, given]) => {
        // A table has more words for truth, and days as spreadsheets write them.
        fc.pre(declared.type !== 'boolean' || splitItems(given).every((one) => words.read(one) === one));
        fc.pre(!hasOtherDay(declared, given));
        const kind = kindOf({ attributes: { x: declared } });
        const items = declared.list ? splitItems(given).map((one) => tidyText(one)) : given;
        const user = {
          userName: 'ada',
          attributes: { x: declared.list ? [items].flat().join('\n') : given },
        };
        const [inJson, inXml] = await Promise.all(
          [jsonFile, xmlFile].map((format) =>
            take(kind, format, printFile(codecFor(kind, format), [user as unknown as User])),
          ),
        );
        const cells = { userName: 'ada', attributes: { x: items } } as unknown as User;
        const columns = ['userName', 'attributes.x'];
        const inCsv = await take(kind, csv, printFile(codecFor(kind, csv), [cells], { columns }));
        expect(inXml).to.deep.equal(inJson);
        expect(inCsv).to.deep.equal(inJson);
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe('A heading of a table of users with declared attributes', () => {
  const kind = kindOf({
    undeclared: 'refuse',
    attributes: {
      costCentre: { type: 'string', label: { de: 'Kostenstelle' } },
      validity: { type: 'date', label: { en: 'Valid from' } },
      telephone: { type: 'integer' },
      'old-badge': { type: 'integer', label: { en: 'Old badge' }, retired: true },
    },
  });
  const codec = codecFor(kind, csv);
  const readOne = async (file: string): Promise<unknown> => {
    const { rows, error } = await readFile(codec, file);
    return error?.message ?? rows[0]?.value;
  };

  it('is a name or label in any case and spacing, before the usual headings of built-in fields', async () => {
    for (const [heading, cell, attributes] of [
      ['KOSTENSTELLE', 'x', { costCentre: 'x' }],
      ['Cost centre', 'x', { costCentre: 'x' }],
      ['valid From', '2026-01-31', { validity: '2026-01-31' }],
      ['Telephone', '+31', { telephone: 31 }],
      ['attributes.old-badge', '4', { 'old-badge': 4 }],
    ] as const)
      expect(await readOne(`userName,${heading}\nada,${cell}\n`), heading).to.deep.equal({
        userName: 'ada',
        attributes,
      });
    expect(await readOne('userName,Cost center\nada,x\n')).to.deep.equal({
      ...{ userName: 'ada', enterprise: { costCenter: 'x' } },
    });
  });

  it('that is unknown is answered with the declared names, without retired ones', async () => {
    const told = await readOne('userName,validitty\nada,1\n');
    expect(told).to.include('"validitty" (perhaps attributes.validity)');
    expect(told).to.include('attributes.costCentre, attributes.validity, attributes.telephone, validFrom');
    expect(told).not.to.include('old-badge').and.not.include('attributes.NAME');
    expect(codec.namedColumns?.()).to.include('attributes.telephone').and.not.include('attributes.old-badge');
  });
});

describe('A declaration of an attribute', () => {
  it('is refused with a name that every object of JavaScript has', () => {
    for (const name of ['constructor', 'valueOf', 'hasOwnProperty'])
      expect(parseDeclarations({ attributes: { [name]: { type: 'string' } } }, () => [])).to.deep.equal([
        `attributes.${name}: has the name of the built-in ${name}`,
      ]);
  });
});
