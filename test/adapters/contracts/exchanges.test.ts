import { expect } from 'chai';
import { publishedChecks } from '../../support/answer-check.ts';
import type { Exchange } from '../../support/exchanges.ts';

const check = await publishedChecks();

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
  it('accepts correct answers', () => {
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
