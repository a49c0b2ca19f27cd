import { join } from 'node:path';
import { expect } from 'chai';
import { needed, outputOf } from '../outside/tools.ts';
import { type Json, publishedJson } from '../support/contract.ts';
import { clientFolder } from './programs.ts';

const inPython = `
import re, sys
lines = sys.stdin.read().split("\\n")
for number in range(len(lines) // 2):
    if not re.search(lines[2 * number], lines[2 * number + 1]):
        print(number)
`;

describe('The patterns of the contract, with the longest allowed texts,', () => {
  let input = '';
  before(async () => {
    const $defs = (await publishedJson('/schemas/user.json')).$defs as unknown as Record<string, Json>;
    const { UserInput, User, X509CertificateInput, EmailInput } = $defs;
    const texts: readonly (readonly [schema: Json | undefined, text: string])[] = [
      ...[UserInput, User].flatMap((schema) =>
        [`a:${'b'.repeat(2046)}`, `a:${'%C3'.repeat(682)}`, `a:${'%C3a'.repeat(511)}`].map(
          (text) => [schema?.properties?.profileUrl, text] as const,
        ),
      ),
      [UserInput?.properties?.title, 'x'.repeat(256)],
      // A language tag has no limit; this one is longer than any tag in use.
      [UserInput?.properties?.locale, `en${'-abcde'.repeat(150)}`],
      [EmailInput?.properties?.value, `a@${'b'.repeat(252)}`],
      [X509CertificateInput?.properties?.value, 'A'.repeat(8192)],
    ];
    input = texts.map(([schema, text]) => `${schema?.pattern}\n${text}\n`).join('');
    for (const [schema, text] of texts) expect(text).to.match(new RegExp(String(schema?.pattern)));
  });

  it('match in Java, whose matcher has a limited stack', async function () {
    const java = needed(this, 'java');
    const { out, err } = await outputOf(java, [join(clientFolder('patterns'), 'Patterns.java')], input);
    expect(out + err).to.equal('');
  });

  it('match in Python', async function () {
    const { out, err } = await outputOf(needed(this, 'python3'), ['-c', inPython], input);
    expect(out + err).to.equal('');
  });
});
