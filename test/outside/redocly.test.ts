import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { publishedText } from '../support/contract.ts';
import { missing, outputOf, whereIs } from './tools.ts';

/** Where NODE_TOOLS says that npm has installed it, else wherever a program is found. */
const program = (): string | undefined => {
  const { NODE_TOOLS } = process.env;
  return NODE_TOOLS === undefined ? whereIs('redocly') : join(NODE_TOOLS, 'node_modules/.bin/redocly');
};

/** Examples in XML are texts, but the linter expects objects; other tests check them with xmllint. */
const withoutXmlExamples = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (_name, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value;
      const kept = Object.entries(value).map(([name, inner]: [string, unknown]) => {
        if (!/xml(?:;|$)/.test(name) || typeof inner !== 'object' || inner === null) return [name, inner];
        const { examples: _text, ...rest } = inner as Readonly<Record<string, unknown>>;
        return [name, rest];
      });
      return Array.isArray(value) ? value : Object.fromEntries(kept);
    }),
  );

describe('Redocly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'users-redocly-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function lint(text: string): Promise<string> {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, text);
    // A clean environment: it would report its use, and look for a newer one.
    const quiet = ['REDOCLY_TELEMETRY=off', 'REDOCLY_SUPPRESS_UPDATE_NOTICE=true'];
    const args = ['lint', '--extends', 'recommended-strict', '--format', 'json', file];
    const { out } = await outputOf('env', ['-C', folder, ...quiet, program() ?? '', ...args]);
    return out;
  }

  it('reports nothing about /openapi.json with its strict rules and no exceptions', async function () {
    if (program() === undefined) missing(this, 'redocly');
    const { totals } = JSON.parse(await lint(withoutXmlExamples(await publishedText('/openapi.json'))));
    expect(totals).to.deep.equal({ errors: 0, warnings: 0, ignored: 0 });
  });

  it('reports a document with a mistake', async function () {
    if (program() === undefined) missing(this, 'redocly');
    const wrong = (await publishedText('/openapi.json')).replace(
      '"operationId": "listUsers"',
      '"operationId": "readUser"',
    );
    expect(JSON.parse(await lint(withoutXmlExamples(wrong))).totals.errors).to.be.above(0);
  });
});
