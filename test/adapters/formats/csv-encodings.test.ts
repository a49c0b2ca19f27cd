import { expect } from 'chai';
import iconv from 'iconv-lite';
import { readFile } from '../../contract/file-format.ts';
import { codec, valuesOf } from './csv-table.ts';

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

/** Tables with the first lines that are shown, and the place of the right encoding among those offered. */
const shown: Readonly<Record<string, readonly [text: string, encoding: string, most?: number]>> = {
  'a Polish Excel': ['łukasz,Łukasz Żółć\r\nstanisław,Księgowość\r\n', 'windows-1250'],
  'a Czech Excel': ['dvořák,Jiří Dvořák\r\nčapek,Účetní\r\n', 'windows-1250'],
  'a Hungarian Excel': ['szőke,Szőke Gergő\r\n', 'windows-1250', 2],
  'a Croatian Excel': ['kovačić,Đuro Kovačić\r\n', 'windows-1250', 2],
  'a Russian Excel': ['михаил,Михаил Иванов\r\n', 'windows-1251'],
  'a Greek Excel': ['γιώργος,Γιώργος Παπάς\r\n', 'windows-1253', 2],
  'a Turkish Excel': ['yıldız,Yıldız Şükrü Işık\r\n', 'windows-1254', 2],
  'a Japanese Excel': ['sato,佐藤 太郎\r\nsuzuki,営業部\r\n', 'shift_jis', 2],
  'a Chinese Excel': ['wang,王芳\r\nzhang,销售部\r\n', 'gbk', 2],
  'a program for Unix in Poland': ['ślązak,Źródło Śląskie\r\n', 'iso-8859-2', 3],
};

describe('The encoding of a table', () => {
  for (const [what, [text, encoding]] of Object.entries(recognized))
    it(`is recognized for ${what}, for any chunks`, async () => {
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
    it(`is asked for, not guessed, for ${what}`, async () => {
      const { error } = await readFile(codec, iconv.encode(text, encoding));
      expect(error?.message).to.match(/^the file is not UTF-8/);
      expect(error?.message).not.to.contain('it looks like');
    });

  for (const [what, [text, encoding, most = 1]] of Object.entries(shown))
    it(`is suggested by the first lines in likely encodings, for ${what}`, async () => {
      const { error } = await readFile(codec, iconv.encode(`userName,title\r\n${text}`, encoding));
      const [, ...offered] = error?.message.split(/--encoding in which this is right: |", /) ?? [];
      expect(offered.length, error?.message).to.be.within(1, 3);
      const right = `${encoding.toLowerCase()} "${text.trimEnd().split('\r\n').join(' / ')}`;
      const place = offered.findIndex((one) => one.startsWith(right.slice(0, right.indexOf('"') + 20)));
      expect(place, error?.message).to.be.within(0, most - 1);
    });

  it('may be any code page that an option names, for any chunks', async () => {
    for (const [text, encoding] of [
      ['łukasz,Żółć', 'windows-1250'],
      ['dvořák,Čapek', 'iso-8859-2'],
      ['михаил,Жуков', 'windows-1251'],
      ['γιώργος,Ωνάσης', 'windows-1253'],
      ['yıldız,Şükrü', 'windows-1254'],
      ['ąžuolas,Ģirts', 'windows-1257'],
      ['œuvre,Šimon €', 'iso-8859-15'],
      ['müller,Größe', 'macintosh'],
      ['佐藤,ｶﾅ東京', 'shift_jis'],
      ['王芳,张伟经理', 'gbk'],
      ['王芳,張偉經理', 'big5'],
      ['김철수,이영희', 'euc-kr'],
    ] as const) {
      const bytes = iconv.encode(`userName,title\r\n${`${text}\r\n`.repeat(3)}`, encoding);
      const [userName, title] = text.split(',');
      for (const sizes of [[1], [2, 5], [1000]])
        expect(await valuesOf(bytes, { sizes, encoding }), encoding).to.deep.equal(
          Array.from({ length: 3 }, () => ({ userName, title })),
        );
      const cut = await readFile(codec, Buffer.concat([bytes, Buffer.of(0x61, 0x2c, 0x81)]), { encoding });
      expect(cut.error, encoding).not.to.equal(undefined);
    }
  });

  it('is refused with the place of the first wrong byte if an option names the wrong one', async () => {
    for (const encoding of ['windows-1250', 'gbk', 'shift_jis'] as const) {
      const { error } = await readFile(
        codec,
        Buffer.from('userName,title\r\nada,x\r\na,b\x81\xff\r\n', 'latin1'),
        {
          encoding,
        },
      );
      expect(error?.message).to.match(new RegExp(`^the file is not ${encoding}: save it in UTF-8, or name `));
      expect(error?.position).to.deep.equal({ line: 3, column: 2 });
    }
  });

  it('applies from the beginning to the end: bytes outside it are refused with their place', async () => {
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
