import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { fileFormats, findFileFormat, xmlFile } from '../../../src/adapters/formats/file-formats.ts';
import { findPlace } from '../../../src/adapters/formats/json/diagnostics.ts';
import { jsonFile } from '../../../src/adapters/formats/json/file.ts';
import { json } from '../../../src/adapters/formats/json/json.ts';
import { xml } from '../../../src/adapters/formats/xml/xml.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { maxRowLength, printFile, readFile } from '../../contract/file-format.ts';
import { naming } from '../../contract/format.ts';
import { aUser } from '../../support/a-user.ts';
import { userCodec } from '../../support/kinds.ts';
import { runs } from '../../support/runs.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('The format of a file', () => {
  it('follows from the extension of the file, in any case, compressed or not', () => {
    const found = ['a.jsonl', '/x.csv/A.NDJSON.gz', 'a.json', './a.xml', 'a.b.CSV', 'a.csv.GZ'].map(
      (file) => findFileFormat(file)?.name,
    );
    expect(found).to.deep.equal(['jsonl', 'jsonl', 'json', 'xml', 'csv', 'csv']);
    for (const file of ['', 'a', 'csv', 'a.csv.zip', 'a.csv/', 'a.gz', 'ajson', 'a.json.gz.gz'])
      expect(findFileFormat(file), file).to.equal(undefined);
  });

  it('has a unique name and unique file extensions', () => {
    const endings = fileFormats.flatMap((format) => format.endings);
    expect(new Set(endings).size).to.equal(endings.length);
    expect(fileFormats.map(({ name }) => name)).to.deep.equal(['jsonl', 'json', 'xml', 'csv']);
  });
});

describe('A file of users', () => {
  it('may be a list as the service answers it, with a total, in JSON or XML', async () => {
    const users = [aUser({ title: 'x' }), aUser()];
    for (const [format, of] of [
      [json, jsonFile],
      [xml, xmlFile],
    ] as const) {
      const { open, item, between, close } = format.codec<User>(User, naming).list;
      const { rows } = await readFile(
        userCodec(of),
        open({ total: 9 }) + users.map(item).join(between) + close,
      );
      expect(rows.map(({ value }) => value)).to.deep.equal(users);
    }
  });

  it('is closed when its reader stops', async () => {
    for (const format of fileFormats) {
      const codec = userCodec(format);
      const file = Buffer.from(
        printFile(
          codec,
          Array.from({ length: 300 }, () => aUser()),
        ),
      );
      let isClosed = false;
      async function* chunks(): AsyncGenerator<Buffer> {
        try {
          yield file;
          yield expect.fail('it was read on');
        } finally {
          isClosed = true;
        }
      }
      for await (const rows of codec.read(chunks(), { maxRowLength })) {
        expect(rows.length).to.be.within(1, 256);
        break;
      }
      expect(isClosed, format.name).to.equal(true);
    }
  });

  it('is printed identically from users and from their stored JSON', () => {
    for (const format of fileFormats) {
      const { row, rowOfJson } = userCodec(format).printer({ columns: ['userName'] });
      const user = aUser({ title: 'é"' });
      if (rowOfJson !== undefined) expect(rowOfJson(JSON.stringify(user))).to.equal(row(user));
    }
  });

  for (const format of [jsonFile, xmlFile])
    it(`is read in ${format.name} up to the first fault`, async () => {
      const codec = userCodec(format);
      const file = printFile(codec, [aUser(), aUser({ title: 'SPOILT' }), aUser()]).replace('SPOILT', '\0');
      const { rows, error } = await readFile(codec, file);
      expect(rows).to.have.length(1);
      expect(error?.position?.line).to.equal(3);
    });

  for (const format of fileFormats)
    it(`is read in ${format.name} in UTF-16 with a byte order mark, and in windows-1252 if an option says so`, async () => {
      const codec = userCodec(format);
      const user = aUser({ title: 'é€' });
      const file = printFile(codec, [user]);
      const utf16 = Buffer.from(`\uFEFF${file}`, 'utf16le');
      const single = Buffer.from(file.replaceAll('€', '\x80'), 'latin1');
      for (const [bytes, encoding] of [
        [utf16, undefined],
        [Buffer.from(utf16).swap16(), undefined],
        [single, 'windows-1252'],
      ] as const) {
        const { rows, error } = await readFile(codec, bytes, { encoding, sizes: [1] });
        expect(error).to.equal(undefined);
        expect(rows.map(({ value }) => value)).to.deep.equal([user]);
      }
    });

  it('has a place for each pointer in JSON: its value, or the parent of a missing one', async () => {
    const file = '{"users":[\r\n { "name" : {"a/b": [1, {"x":"}]"} ,[], "k" ] , "a~b":tru} }]}'.replace(
      'tru',
      'true',
    );
    const { rows } = await readFile(userCodec(jsonFile), file);
    const places = [
      '',
      '/name',
      '/name/a~1b/0',
      '/name/a~1b/1/x',
      '/name/a~1b/2',
      '/name/a~1b/3',
      '/name/a~0b',
      '/title',
      '/name/x/y',
    ];
    expect(places.map((pointer) => rows[0]?.locate?.(pointer))).to.deep.equal(
      [2, 13, 22, 30, 37, 41, 55, 2, 13].map((column) => ({ line: 2, column })),
    );
  });

  it('has these places for any JSON that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const check = (part: unknown, pointer: string): void => {
          const at = findPlace(text, pointer);
          expect(text.slice(at)).to.satisfy((rest: string) =>
            rest.replace(/\s/g, '').startsWith(JSON.stringify(part).replace(/\s/g, '')),
          );
          if (typeof part === 'object' && part !== null)
            for (const [key, inner] of Object.entries(part))
              check(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
        };
        check(value, '');
      }),
      { numRuns: runs(300) },
    );
  });
});

/** Of the same hundred users each; XML takes several times as long. */
const hundreds = (name: string): number => (name === 'xml' ? 200 : 1000);

for (const format of fileFormats) {
  const codec = userCodec(format);
  const all = 100 * hundreds(format.name);

  describe(`The reader of files in ${format.name}`, () => {
    it(`takes no more memory for ${all} users than for 2,000`, async () => {
      const { open, between, close, row } = codec.printer({ columns: ['id', 'userName', 'roles'] });
      const some = Buffer.from(
        Array.from({ length: 100 }, () => row(aUser({ roles: ['a', 'b'] }))).join(between),
      );
      async function* many(): AsyncGenerator<Buffer> {
        yield Buffer.from(open);
        for (let at = 0; at < hundreds(format.name); at += 1) {
          if (at > 0) yield Buffer.from(between);
          yield some;
        }
        yield Buffer.from(close);
      }
      let [count, early, late] = [0, 0, 0];
      for await (const rows of codec.read(many(), { maxRowLength })) {
        count += rows.length;
        if (early === 0 && count >= 2000) early = heap();
        if (late === 0 && count >= all - 1000) late = heap();
      }
      expect(count).to.equal(all);
      expect(late - early).to.be.below(2 * 1024 * 1024);
    });
  });
}
