/**
 * Two readers that understood one text differently would be a hole: what the first one checked wouldn't be what the second reads.
 * So the tree that readTree makes is compared with the one that saxes alone makes of the same text.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { runToEnd } from '../../../src/adapters/formats/port/format.ts';
import type { Element } from '../../../src/adapters/formats/xml/strict/document.ts';
import { readTree } from '../../../src/adapters/formats/xml/strict/tree.ts';
import { runs } from '../../support/runs.ts';
import { anyDocument } from './arbitrary-documents.ts';

interface Node {
  readonly namespace: string;
  readonly name: string;
  readonly key: string | undefined;
  readonly text: string;
  readonly children: readonly Node[];
}
type Growing = Node & { text: string; children: Growing[] };

function bySaxes(text: string): Node {
  const above: Growing[] = [{ namespace: '', name: '', key: undefined, text: '', children: [] }];
  const add = (more: string) => {
    const innermost = above.at(-1);
    if (innermost) innermost.text += more;
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const key = Object.values(attributes).find((one) => one.uri === '' && one.local === 'name')?.value;
    const node: Growing = { namespace: uri, name: local, key, text: '', children: [] };
    above.at(-1)?.children.push(node);
    above.push(node);
  });
  parser.on('closetag', () => above.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text).close();
  return above[0]?.children[0] ?? expect.fail('saxes found no element');
}

const plain = ({ namespace, name, key, text, children }: Element): Node => ({
  namespace,
  name,
  key,
  text,
  children: children.map(plain),
});

describe('The two readers of XML', () => {
  it('see the same elements, names, nesting and text in every document', () => {
    fc.assert(
      fc.property(anyDocument, (text) => {
        expect(plain(runToEnd(readTree(text)))).to.deep.equal(bySaxes(text));
      }),
      { numRuns: runs(3000) },
    );
  });

  const traps: Readonly<Record<string, string>> = {
    'empty elements beside each other': '<a><b/><c/><d></d></a>',
    'an empty element with a line end in it': '<a><b\r\n/><c\n\t/></a>',
    'an attribute that ends in a slash': '<a><b name="/"/><b name="/">x</b><b name=\'a/>\'>y</b></a>',
    'an attribute with marks in it': '<a><b name="]]>--&gt;?>">x</b></a>',
    'an unpaired quote in a processing instruction': '<a><?x it\'s ?><b>1</b><?y "?><c>2</c></a>',
    'a processing instruction with attributes of the prototype':
      '<a><?x __proto__="1" constructor="2"?>b</a>',
    'a comment between the two characters of a line end': '<a>x\r<!-- -->\ny</a>',
    'elements in comments and in CDATA': '<a><!-- <b> --><![CDATA[<c>]]><d><![CDATA[</d>]]></d></a>',
    'the start of a comment in CDATA and the start of CDATA in a comment':
      '<a><![CDATA[<!--]]><b/><!-- <![CDATA[ --><c/><!-- ]]> --></a>',
    'the start of a comment in a processing instruction': '<a><?x <!-- ?><b/><?y --> ?></a>',
    'a DOCTYPE in CDATA': '<a><![CDATA[<!DOCTYPE a [<!ENTITY b "c">]>]]>&amp;b;</a>',
  };
  for (const [what, text] of Object.entries(traps)) {
    it(`see the same in ${what}`, () => {
      expect(plain(runToEnd(readTree(text)))).to.deep.equal(bySaxes(text));
    });
  }
});
