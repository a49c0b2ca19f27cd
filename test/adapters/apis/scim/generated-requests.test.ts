import { expect } from 'chai';
import fc from 'fast-check';
import { publishedJson } from '../../../support/contract.ts';
import { contractChecks } from '../../../support/contract-check.ts';
import { onExchange } from '../../../support/exchanges.ts';
import { runs } from '../../../support/runs.ts';
import { type ScimAnswer, scimAnswers } from '../../../support/scim-answers.ts';
import type { PublishedSchema } from '../../../support/scim-schemas.ts';
import type { Answer } from '../../../support/service.ts';
import { anyBody, generatedFrom, named } from './generated-requests.ts';
import type { Search } from './generated-searches.ts';
import { type Ask, create, giveScim, type Json, nobody } from './scim-client.ts';

const { Resources } = await publishedJson('/scim/v2/Schemas');
const schemas = Resources as unknown as readonly PublishedSchema[];
const check = contractChecks({ main: await publishedJson('/openapi.json'), schemas });
const { user, patch, search, bulk } = generatedFrom(schemas);

const addressOf = (parameters: Json): string =>
  `?${new URLSearchParams(JSON.parse(JSON.stringify(parameters)))}`;

describe('A generated request of SCIM', () => {
  let ask: Ask;
  giveScim((its) => {
    ask = its;
  });
  let isOurs = false;
  const mistakes: string[] = [];
  before(() => {
    isOurs = true;
    onExchange((exchange) => {
      if (isOurs) mistakes.push(...check.check(exchange).mistakes);
    });
  });
  after(() => {
    isOurs = false;
  });
  afterEach('is answered as the contract says', () => {
    expect(mistakes.splice(0)).to.deep.equal([]);
  });

  /** @param ask of a request that is right, or has one thing wrong */
  async function answersTo<T extends { readonly isRight: boolean }>(
    requests: fc.Arbitrary<T>,
    success: number,
    send: (request: T) => Promise<Answer>,
  ): Promise<void> {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { status, text } = await send(request);
        expect(status, `${JSON.stringify(request).slice(0, 2000)}: ${text}`).to.equal(
          request.isRight ? success : 400,
        );
      }),
      { numRuns: runs(150) },
    );
  }

  it('creates a user, or is refused', () =>
    answersTo(user, 201, ({ body }) => ask('/Users', { method: 'POST', body: named(body) })));

  it('replaces a user, or is refused', async () => {
    const { id } = await create(ask);
    await answersTo(user, 200, ({ body }) => ask(`/Users/${id}`, { method: 'PUT', body: named(body) }));
  });

  it('changes a user, or is refused', () =>
    answersTo(patch, 200, async ({ body }) => {
      const { id } = await create(ask);
      return ask(`/Users/${id}`, { method: 'PATCH', body });
    }));

  const searchUrn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
  const posted = (path: string) => (request: Search) => {
    // A body takes the parameters that there are, an address any.
    const { unknown: _unknown, ...parameters } = request.parameters;
    return ask(path, { method: 'POST', body: { schemas: [searchUrn], ...parameters } });
  };
  it('lists users, or is refused', () =>
    answersTo(search, 200, ({ parameters }) => ask(`/Users${addressOf(parameters)}`)));
  for (const path of ['/Users/.search', '/.search'])
    it(`lists users by ${path}, or is refused`, () => answersTo(search, 200, posted(path)));

  it('writes many users, or is refused as a whole', () =>
    answersTo(bulk, 200, ({ body }) => ask('/Bulk', { method: 'POST', body })));

  it('reads or removes a user, or finds none', async () => {
    const target = fc.oneof(fc.constant('there'), fc.uuid(), fc.string().map(encodeURIComponent));
    const headers = fc.record(
      {
        accept: fc.constantFrom('application/scim+json', 'application/json', '*/*', 'image/png', ''),
        'if-match': fc.constantFrom('*', '"x"', 'W/"x"', 'x'),
        'if-none-match': fc.constantFrom('*', '"x"', 'x'),
        'if-modified-since': fc.constantFrom('Sun, 06 Nov 1994 08:49:37 GMT', 'x'),
      },
      { requiredKeys: [] },
    );
    /** One for each status. */
    const examples: [string, Record<string, string>, 'GET' | 'HEAD' | 'DELETE'][] = [
      ['there', {}, 'GET'],
      ['there', {}, 'DELETE'],
      ['there', { 'if-none-match': '*' }, 'GET'],
      ['there', { 'if-match': 'x' }, 'GET'],
      [nobody, {}, 'GET'],
      ['there', { accept: 'image/png' }, 'GET'],
      ['there', { 'if-match': '"x"' }, 'GET'],
    ];
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        target,
        headers,
        fc.constantFrom('GET', 'HEAD', 'DELETE'),
        async (to, fields, method) => {
          const { id } = await create(ask);
          const { status } = await ask(`/Users/${to === 'there' ? id : to}`, { method, headers: fields });
          seen.add(status);
        },
      ),
      { numRuns: Math.max(examples.length, runs(300)), examples },
    );
    expect([...seen]).to.include.members([200, 204, 304, 400, 404, 406, 412]);
  });

  it('reads the discovery documents, where filters are refused', async () => {
    const isOpen = ({ scope, scopes }: ScimAnswer) => scope === undefined && scopes === undefined;
    const paths = scimAnswers.filter(isOpen).map(({ path }) => path);
    const name = fc.constantFrom('User', 'Group', ...schemas.map(({ id }) => id), 'urn:x');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), name, search, async (path, one, { parameters }) => {
        const target = path.replace(/\{.*\}/, one);
        const { status } = await ask(target + addressOf(parameters), { anonymous: true });
        expect(status, target).to.be.oneOf('filter' in parameters ? [403] : [200, 404]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('with any body is refused or has its effect', async () => {
    const routes = scimAnswers.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));
    for (const { method, path } of routes)
      await fc.assert(
        fc.asyncProperty(anyBody, async (body) => {
          const { status } = await ask(path.replace('{id}', nobody), { method, body });
          expect(status, `${method} ${path} ${body}`).to.be.oneOf([200, 201, 400, 404, 409]);
        }),
        { numRuns: runs(70) },
      );
  });
});
