import { expect } from 'chai';
import fc from 'fast-check';
import { json } from '../../../src/adapters/formats/json/json.ts';
import { maxNodes, runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming, unreadable } from '../../contract/format.ts';
import { runs } from '../../support/runs.ts';
import { jsonText } from './arbitrary-json.ts';

const codec = json.codec<User>(User, naming);
const read = (text: string) => runToEnd(codec.read(Buffer.from(text, 'utf8')));
const twice = 'occurs more than once';

describe('A body that is not JSON', () => {
  const bodies: Readonly<Record<string, [text: string, line: number, column: number]>> = {
    'a word': ['{"title":abc}', 1, 10],
    'a comma too many': ['{\n  "title": "x",\n}', 3, 1],
    'a comma too few': ['{"title":"x"\n"locale":"en"}', 2, 1],
    'an object that is not closed': ['{"title":"x"', 1, 13],
    'a list that is closed as an object': ['{"roles":["a"}', 1, 14],
    'a name without quotes': ['{title:"x"}', 1, 2],
    'single quotes': ["{'title':1}", 1, 2],
    'a comment': ['{"title": // x\n"y"}', 1, 11],
    'two values': ['{}\r\n {}', 2, 2],
    'a raw line end in a text': ['{"title":"a\nb"}', 1, 10],
    'a number that begins with a zero': ['{"title":007}', 1, 11],
    'the word NaN': ['[NaN]', 1, 2],
  };
  for (const [what, [text, line, column]] of Object.entries(bodies)) {
    it(`is refused with the place of ${what}`, () => {
      const { message, position } = unreadable(() => read(text));
      expect(message).to.equal('this is not JSON');
      expect(position).to.deep.equal({ line, column });
    });
  }

  it('is refused with a place, also if only JSON.parse finds the mistake', () => {
    for (const text of ['"\\x"', '"\u0001"', '1.', '-', '01', '[1,]', '\u00A0{}', '{"a":1}\u2028', '\f1']) {
      expect(unreadable(() => read(text)).position).to.have.keys(['line', 'column']);
    }
  });

  it('is refused if it is empty or has only white space', () => {
    for (const text of ['', ' \r\n\t', '\uFEFF'])
      expect(unreadable(() => read(text)).message).to.equal('the body is empty');
  });

  it('is refused for its depth before any other mistake', () => {
    for (const unit of ['[', '{"a":']) {
      const { message, position } = unreadable(() => read(unit.repeat(50_000)));
      expect(message).to.equal('nesting is deeper than 32');
      expect(position).to.deep.equal({ line: 1, column: 32 * unit.length + 1 });
    }
    expect(unreadable(() => read('['.repeat(33) + ']'.repeat(33))).message).to.match(/deeper/);
    expect(read('['.repeat(32) + ']'.repeat(32)).violations).to.deep.equal([]);
  });
});

describe('A body with many values', () => {
  const list = (count: number) => `{"a":[\n${Array(count).fill('0').join()}]}`;

  it('may have as many values as the limit: each member, item, object and list counts', () => {
    expect(read(list(maxNodes - 2)).violations).to.deep.equal([]);
    expect(read(`[${Array(maxNodes - 1).fill('[ ]')}]`).violations).to.deep.equal([]);
    expect(read(`{"a":"${',[{'.repeat(maxNodes)}\\",["}`).violations).to.deep.equal([]);
  });

  it('is refused with the place of the first value beyond the limit', () => {
    const { message, position } = unreadable(() => read(list(maxNodes - 1)));
    expect(message).to.equal(`it has more than ${maxNodes} values`);
    expect(position).to.deep.equal({ line: 2, column: 2 * (maxNodes - 2) });
    expect(unreadable(() => read(`[${Array(maxNodes).fill('{}')}]`)).message).to.equal(message);
  });
});

describe('Bytes that are not UTF-8', () => {
  const place = (...parts: (string | number[])[]) =>
    unreadable(() => runToEnd(codec.read(Buffer.concat(parts.map((part) => Buffer.from(part as string))))))
      .position;

  it('are refused with the place of the first one', () => {
    expect(place([0xff])).to.deep.equal({ line: 1, column: 1 });
    expect(place('{"title":"', [0xe9], '"}')).to.deep.equal({ line: 1, column: 11 });
    expect(place('{\n"title":\n "é€', [0xc3, 0x28], '"}')).to.deep.equal({ line: 3, column: 5 });
    expect(place('"\uFFFD', [0x80])).to.deep.equal({ line: 1, column: 3 });
  });
  it('are refused with the place where an incomplete character begins', () => {
    expect(place('"', [0xef, 0x41])).to.deep.equal({ line: 1, column: 2 });
    expect(place('"', [0xef, 0xbf, 0x41])).to.deep.equal({ line: 1, column: 2 });
    expect(place('"', [0xe2, 0x82])).to.deep.equal({ line: 1, column: 2 });
    expect(place('"', [0xef])).to.deep.equal({ line: 1, column: 2 });
    expect(place('"', [0xf0, 0x9f, 0x98])).to.deep.equal({ line: 1, column: 2 });
    expect(place('"', [0xed, 0xa0, 0x80])).to.deep.equal({ line: 1, column: 2 });
  });
  it('are not read in another encoding, even if the media type names it', () => {
    for (const charset of ['utf-16', 'iso-8859-1', 'constructor'])
      expect(unreadable(() => runToEnd(codec.read(Buffer.from('{}'), charset))).message).to.match(
        /UTF-8 only/,
      );
    expect(runToEnd(codec.read(Buffer.from('{}'), 'UTF-8')).value).to.deep.equal({});
    expect(runToEnd(codec.read(Buffer.from('{}'), 'us-ascii')).value).to.deep.equal({});
  });
  it('may follow a byte order mark', () => {
    expect(read('\uFEFF{"title":"x"}').value).to.deep.equal({ title: 'x' });
  });
});

describe('Names in JSON', () => {
  it('are reported by pointer if they occur twice in one object', () => {
    const text = '{"title":1,"emails":[{"value":1},{"value":1,"value":2}],"a/b~":{"":1,"":2},"title":2}';
    expect(read(text).violations).to.deep.equal([
      { pointer: '/emails/1/value', detail: twice },
      { pointer: '/a~1b~0/', detail: twice },
      { pointer: '/title', detail: twice },
    ]);
  });
  it('are the same in two spellings with and without escapes', () => {
    expect(read('{"title":1,"\\u0074itle":2}').violations).to.deep.equal([
      { pointer: '/title', detail: twice },
    ]);
  });
  it('may occur once in each object', () => {
    expect(read('{"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":1}]}').violations).to.deep.equal([]);
  });
  it('are reported up to a limit if they occur a thousand times', () => {
    expect(read(`{${'"a":1,'.repeat(1000)}"a":1}`).violations).to.have.lengthOf(64);
  });
  it('are not quoted whole in a report if they are long', () => {
    const { violations } = read(`{"${'n'.repeat(100_000)}":{"a":1,"a":1}}`);
    expect(violations).to.have.lengthOf(1);
    expect(violations[0]?.pointer)
      .to.match(/^\/n+…\/a$/)
      .and.to.have.lengthOf.below(200);
  });
  it('are found wherever they occur, and nothing else is taken for a name', () => {
    fc.assert(
      fc.property(jsonText, ({ text, repeats }) => {
        expect(read(text).violations.length > 0, text).to.equal(repeats);
      }),
      { numRuns: runs(1000) },
    );
  });
  it('of the prototype are names like others', () => {
    const { value, violations } = read('{"__proto__":{"x":1},"constructor":1,"__proto__":2}');
    expect(Object.keys(value as object)).to.deep.equal(['__proto__', 'constructor']);
    expect(violations).to.deep.equal([{ pointer: '/__proto__', detail: twice }]);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });
});

describe('Values in JSON', () => {
  it('are read as JSON.parse reads them', () => {
    for (const text of ['null', '[]', '"\\u2028\\ud83d\\ude00"', '-1.5e3', ' {"a":[true,null,{"b":""}]}\r\n'])
      expect(read(text)).to.deep.equal({ value: JSON.parse(text), violations: [] });
  });
});
