import { expect } from 'chai';
import iconv from 'iconv-lite';
import { readFile } from '../../contract/file-format.ts';
import { codec } from './csv-table.ts';

const german = 'userName,title\r\nmüller,Müller\r\nweiß,Weiß\r\nrené,René François\r\n';

/** Tables, by what people saved them with. */
const recognized: Readonly<Record<string, readonly [text: string, encoding: string]>> = {
  'a German Excel': [german, 'windows-1252'],
  'a German Excel, with names from all over Western Europe': [
    `${german}söhne,Ångström Muñoz Hélène Ø’Neill – €\r\ngünther,Größe\r\n`,
    'windows-1252',
  ],
  'a program that writes UTF-16 without a mark': [german, 'utf16le'],
  'a program that writes UTF-16 with the first byte first, without a mark': [german, 'utf16be'],
  'a program that writes UTF-8': [german.replaceAll('Müller', 'Михаил Łukasz'), 'utf8'],
};

/** Letters that windows-1252 would read as others. */
const doubtful: Readonly<Record<string, readonly [text: string, encoding: string]>> = {
  'a Polish Excel': ['userName\r\nmichał\r\njörg\r\n', 'windows-1250'],
  'a Czech Excel': ['userName\r\nkovář\r\nčapek\r\n', 'windows-1250'],
  'a Croatian Excel': ['userName\r\nkovačić\r\n', 'windows-1250'],
  'a Turkish Excel': ['userName\r\nyıldız\r\nşükrü\r\n', 'windows-1254'],
  'a Russian Excel': ['userName\r\nмихаил\r\n', 'windows-1251'],
  'a Greek Excel': ['userName\r\nγιώργος\r\n', 'windows-1253'],
  'an old Mac': [german, 'macintosh'],
  'a program for DOS': [german, 'cp850'],
  'a program for DOS, without umlauts': ['userName\r\nweiß\r\n', 'cp850'],
  'a Japanese Excel': ['userName,title\r\nsato,佐藤\r\n', 'shift_jis'],
};

describe('The encoding of a table', () => {
  for (const [what, [text, encoding]] of Object.entries(recognized))
    it(`is recognized in that of ${what}, however it arrives`, async () => {
      const { rows } = await readFile(codec, Buffer.from(text));
      for (const sizes of [[1], [7, 100], [1000]]) {
        const read = await readFile(codec, iconv.encode(text, encoding, { addBOM: false }), { sizes });
        expect(read.error).to.equal(undefined);
        expect(read.rows.map(({ value }) => value)).to.deep.equal(rows.map(({ value }) => value));
        const shown = { utf8: 'utf-8', utf16le: 'utf-16le', utf16be: 'utf-16be' }[encoding] ?? encoding;
        expect(read.header?.table?.encoding).to.equal(shown);
      }
    });

  for (const [what, [text, encoding]] of Object.entries(doubtful))
    it(`is asked for, not guessed, in that of ${what}`, async () => {
      const { error } = await readFile(codec, iconv.encode(text, encoding));
      expect(error?.message).to.match(/^the file is not UTF-8/);
      expect(error?.message).not.to.contain('it looks like');
    });

  it('is that of its begin to its end: a place that is not in it is named', async () => {
    const begin = 'userName\r\n'.padEnd(70_000, 'ada\r\n');
    const { rows, error } = await readFile(codec, Buffer.from(`${begin}m\xfcller\r\n`, 'latin1'));
    expect(error?.message).to.equal(
      'the file is not UTF-8; it looks like windows-1252: --encoding windows-1252',
    );
    expect(error?.position).to.deep.equal({ line: rows.length + 2, column: 1 });
    const named = await readFile(codec, Buffer.from('userName\r\n\x81\r\n', 'latin1'), {
      encoding: 'windows-1252',
    });
    expect(named.error?.message).to.equal('the file is not windows-1252: save it in UTF-8');
    const marked = await readFile(codec, Buffer.from('\xef\xbb\xbfuserName\r\nzo\xeb\r\n', 'latin1'));
    expect(marked.error?.message).to.equal('the file is not UTF-8, although its byte order mark says so');
  });
});
