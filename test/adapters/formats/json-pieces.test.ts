import { expect } from 'chai';
import fc from 'fast-check';
import { examineJson } from '../../../src/adapters/formats/json/diagnostics.ts';
import { jsonCodec } from '../../../src/adapters/formats/json/json.ts';
import { parseInPieces } from '../../../src/adapters/formats/json/pieces.ts';
import { maxNodes, runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming, unreadable } from '../../contract/format.ts';
import { runs } from '../../support/runs.ts';
import { brokenText, jsonText, listDocument } from './arbitrary-json.ts';

const parseSafely = (parse: () => unknown): unknown => {
  try {
    return { value: parse() };
  } catch (error) {
    return (error as Error).name;
  }
};

const ofPieces = (text: string) => runToEnd(parseInPieces(text));

describe('A text that is parsed in pieces', () => {
  it('has the value that JSON.parse gives it', () => {
    fc.assert(
      fc.property(fc.oneof(listDocument, jsonText), ({ text, repeats }) => {
        const { value, hasRepeated } = ofPieces(text);
        expect(hasRepeated, text).to.equal(repeats);
        if (!repeats) expect(value, text).to.deep.equal(JSON.parse(text));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is accepted if JSON.parse accepts it, and refused otherwise', () => {
    fc.assert(
      fc.property(brokenText, (text) => {
        const isJson = parseSafely(() => JSON.parse(text)) !== 'SyntaxError';
        const inPieces = parseSafely(() => ofPieces(text));
        expect(inPieces !== 'SyntaxError', text).to.equal(isJson);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('cannot write to the prototype of anything', () => {
    const { value } = ofPieces('{"__proto__":[{"x":1}],"constructor":[{"x":1}]}');
    expect(Object.keys(value as object)).to.deep.equal(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });
});

describe('A mistake in a text', () => {
  it('is found in each text that JSON.parse refuses, after the correct part of the text', () => {
    fc.assert(
      fc.property(brokenText, (text) => {
        const isJson = parseSafely(() => JSON.parse(text)) !== 'SyntaxError';
        if (isJson) runToEnd(examineJson(text));
        else {
          const { position } = unreadable(() => runToEnd(examineJson(text)));
          expect(position, text).to.have.keys(['line', 'column']);
        }
      }),
      { numRuns: runs(5000) },
    );
  });
});

describe('A document with more values than are read in one step', () => {
  const limit = 16 * maxNodes;
  const codec = jsonCodec<unknown>(User, naming, limit);
  const read = (text: string) => runToEnd(codec.read(Buffer.from(text, 'utf8')));
  const item = (count: number) => `[${Array(count).fill('0').join()}]`;
  const items = (count: number, size: number) => `{"a":[${Array(count).fill(item(size)).join(',\n')}]}`;

  it('is read if the values are in the items of its lists', () => {
    const text = items(15, maxNodes - 1);
    expect(read(text)).to.deep.equal({ value: JSON.parse(text), violations: [] });
  });

  it('is read in a step for each item, and a few more', () => {
    const reading = codec.read(Buffer.from(items(1000, 50)));
    let steps = 0;
    while (!reading.next().done) steps += 1;
    expect(steps).to.be.within(1000, 1010);
  });

  it('is refused with the place if one item, or the rest beside the items, has more', () => {
    const { message, position } = unreadable(() => read(`{"b":[{}],"a":[${item(9)},\n${item(maxNodes)}]}`));
    expect(message).to.equal(`it has more than ${maxNodes} values`);
    expect(position).to.deep.equal({ line: 2, column: 2 * maxNodes - 1 });
    expect(unreadable(() => read(`{"a":{"b":${item(maxNodes)}}}`)).message).to.equal(message);
    expect(unreadable(() => read(item(maxNodes))).message).to.equal(message);
  });

  it('is refused if it has more values in all than are allowed', () => {
    const { message, position } = unreadable(() => read(items(17, maxNodes - 1)));
    expect(message).to.equal(`it has more than ${limit} values`);
    expect(position?.line).to.equal(16);
  });

  it('is refused with the place of a syntax error, and of each duplicate name', () => {
    const head = `{"b":["x"],"a":[${item(4000)},\n${item(4000)},\n`;
    expect(unreadable(() => read(`${head}{"c":}]}`)).position).to.deep.equal({ line: 3, column: 6 });
    expect(unreadable(() => read(`${head}{"c":1}}`)).position).to.deep.equal({ line: 3, column: 8 });
    expect(unreadable(() => read(`${head}]}`)).position).to.deep.equal({ line: 3, column: 1 });
    const twice = 'occurs more than once';
    expect(read(`${head}{"c":1,"c":2}],"a":[{"d":0,"d":0}]}`).violations).to.deep.equal([
      { pointer: '/a/2/c', detail: twice },
      { pointer: '/a', detail: twice },
      { pointer: '/a/0/d', detail: twice },
    ]);
  });

  it('is refused in steps, too', () => {
    const reading = codec.read(Buffer.from(`${items(15, maxNodes - 1).slice(0, -1)},"b":1,"b":2}`));
    let steps = 0;
    while (!reading.next().done) steps += 1;
    expect(steps).to.be.above(50);
  });
});
