import { expect } from 'chai';
import { publishedJson, publishedText } from '../../support/contract.ts';
import { contractChecks, type XmlBody } from '../../support/contract-check.ts';
import { type Exchange, onExchange } from '../../support/exchanges.ts';
import type { PublishedSchema } from '../../support/scim-schemas.ts';
import { faultsBySchema, hasXmllint } from '../../support/xml-schema.ts';

const check = contractChecks({
  main: await publishedJson('/openapi.json'),
  schemas: (await publishedJson('/scim/v2/Schemas')).Resources as unknown as readonly PublishedSchema[],
});
const mistakes = new Set<string>();
const bodies = new Map<string, XmlBody & { readonly test: string }>();
let running = '';
let seen = 0;

beforeEach(function () {
  running = this.currentTest?.fullTitle() ?? '';
});

/** Of the tests' own, with a contract of their own (http/foreign-api.test.ts). */
const foreign = /^\/base\/stock\//;

onExchange((exchange) => {
  if (foreign.test(exchange.target)) return;
  seen += 1;
  const verdict = check.check(exchange);
  const { method, target, status } = exchange;
  for (const mistake of verdict.mistakes)
    mistakes.add(`${method} ${target.slice(0, 80)}: ${status}, ${mistake} (in: ${running})`);
  if (verdict.xml !== undefined)
    bodies.set(verdict.xml.document.toString('base64'), { ...verdict.xml, test: running });
});

// After all files, whichever of them run and in whatever order.
after('every answer that any test has received keeps to the published contract', async function () {
  this.timeout(60_000);
  const wrong = [...mistakes];
  if (hasXmllint()) {
    for (const schema of ['user', 'problem'] as const) {
      const these = [...bodies.values()].filter((body) => body.schema === schema);
      const faults = faultsBySchema(
        await publishedText(`/schemas/${schema}.xsd`),
        these.map(({ document }) => document),
      );
      for (const [index, fault] of faults.entries())
        if (fault !== undefined) wrong.push(`${fault} (in: ${these[index]?.test})`);
    }
  } else if (process.env.CI) throw new Error('xmllint is missing');
  const some = wrong.slice(0, 20).join('\n');
  expect(wrong.length, `${wrong.length} mistakes in ${seen} answers:\n${some}\n`).to.equal(0);
});

const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const user = {
  ...{ id, userName: 'ada', active: true },
  meta: { created: '2026-01-02T03:04:05.678Z', lastModified: '2026-01-02T03:04:05.678Z', version: 'v' },
};
const fields = {
  'Content-Type': 'application/json',
  ETag: '"v.json1"',
  'Last-Modified': 'Fri, 02 Jan 2026 03:04:06 GMT',
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': id,
};

/** A right answer to GET /users/{id}, but for what is given. */
function answer(changes: Partial<Exchange> = {}, headers: Record<string, string | undefined> = {}): Exchange {
  const all = Object.entries({ ...fields, ...headers });
  return {
    ...{
      method: 'GET',
      target: `/users/${id}`,
      requestHeaders: [],
      httpVersion: '1.1',
      status: 200,
      reason: 'OK',
    },
    headers: all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    body: Buffer.from(JSON.stringify(user)),
    ...changes,
  };
}

describe('The check of answers against the contract', () => {
  it('passes what is right', () => {
    expect(check.check(answer()).mistakes).to.deep.equal([]);
  });

  const wrong: readonly [name: string, exchange: Exchange, mistake: RegExp][] = [
    ['a status that is not documented', answer({ status: 418 }), /418 is no answer/],
    ['a field that is missing', answer({}, { ETag: undefined }), /ETag is missing/],
    ['a field that is malformed', answer({}, { ETag: 'v' }), /ETag: .*pattern/],
    ['a field that is not documented', answer({}, { Server: 'x' }), /Server is not in the contract/],
    [
      'a media type that is not documented',
      answer({}, { 'Content-Type': 'text/plain' }),
      /text\/plain is not/,
    ],
    [
      'a member of the wrong type',
      answer({ body: Buffer.from(JSON.stringify({ ...user, active: 1 })) }),
      /boolean/,
    ],
    [
      'a member that nobody knows',
      answer({ body: Buffer.from(JSON.stringify({ ...user, x: 1 })) }),
      /additional/,
    ],
    ['a body where none is due', answer({ status: 304 }), /has a body/],
    [
      'a problem of another status',
      answer(
        { status: 404, body: Buffer.from('{"type":"/problems/id-taken","title":"t","status":409}') },
        { 'Content-Type': 'application/problem+json' },
      ),
      /409 .*is not among the problems/,
    ],
    ['405 without Allow', answer({ method: 'TRACE', status: 405 }), /without Allow/],
    ['200 where there is nothing', answer({ target: '/nowhere' }), /200 where there is nothing/],
  ];
  for (const [name, exchange, mistake] of wrong) {
    it(`refuses ${name}`, () => {
      expect(check.check(exchange).mistakes.join()).to.match(mistake);
    });
  }
});
