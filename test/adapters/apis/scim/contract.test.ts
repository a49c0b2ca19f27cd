import { expect } from 'chai';
import { scopes } from '../../../../src/domain/scopes.ts';
import { type Json, publishedText, scim } from '../../../support/contract.ts';
import { startService } from '../../../support/service.ts';
import { aUser, client, create, type Json as Members } from './scim-client.ts';
import { contract, contractPath, findMistakes } from './scim-contract.ts';

interface Example {
  readonly place: string;
  readonly type: string;
  readonly schema: unknown;
  readonly value: unknown;
}

const entriesOf = (tree: Json | undefined): readonly (readonly [string, Json])[] =>
  Object.entries((tree ?? {}) as unknown as Readonly<Record<string, Json>>);

/** Everything in a document that is shown in a media type. */
function examplesIn(tree: unknown, place = '#'): readonly Example[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, inner]: [string, Json]) => {
    if (name !== 'content') return examplesIn(inner, `${place}/${name}`);
    return entriesOf(inner).flatMap(([type, { schema, examples }]) =>
      entriesOf(examples).map(([, { value }]) => ({ place, type, schema, value })),
    );
  });
}

describe('The OpenAPI document of the SCIM API', () => {
  it('names every route that can succeed, with its scope or as open, and every keyword of an error', () => {
    for (const { method, path: at, scope, answers } of scim.routes) {
      const operation = contract.paths?.[at.replace(/:([a-z]+)/, '{$1}')]?.[method.toLowerCase()];
      if (answers.length === 0) expect(operation, at).to.equal(undefined);
      else {
        expect(operation?.operationId, `${method} ${at}`).to.be.a('string');
        expect(JSON.stringify(operation?.security)).to.equal(
          scope === undefined ? '[]' : `[{"bearer":["${scope}"]},{"basic":["${scope}"]}]`,
        );
      }
    }
    for (const scope of scopes) expect(JSON.stringify(contract)).to.include(`"bearer":["${scope}"]`);
    for (const code of Object.keys(scim.problems).filter((one) => one !== 'id-taken'))
      expect(JSON.stringify(contract), code).to.include(`"${code}"`);
  });

  it('keeps our own keywords to itself, and names nothing by a URN', () => {
    for (const own of ['item', 'entry', 'must', 'scim', '~kind', '~optional'])
      expect(JSON.stringify(contract)).not.to.include(`"${own}":`);
    for (const name of Object.keys(contract.components?.schemas ?? {}))
      expect(name).to.match(/^[A-Za-z0-9]+$/);
  });

  it('has examples that are what their schema says, in both media types', () => {
    const examples = examplesIn(contract);
    expect(examples.length).to.be.above(100);
    expect([...new Set(examples.map(({ type }) => type))].sort()).to.deep.equal([
      'application/json',
      'application/scim+json',
    ]);
    for (const { place, type, schema, value } of examples)
      expect(findMistakes(schema, value), `${place} ${type}`).to.equal('');
  });

  it('has examples of requests that are answered as it says', async () => {
    const service = await startService();
    const ask = client(service);
    for (const [at, item] of entriesOf(contract.paths))
      for (const [method, { requestBody, responses }] of entriesOf(item)) {
        const sent = requestBody?.content?.['application/scim+json']?.examples?.example?.value;
        if (sent === undefined) continue;
        const { id } = await create(ask);
        const target = at.replace('/scim/v2', '').replace('{id}', id);
        const { status, text: told } = await ask(target, {
          method: method.toUpperCase(),
          body: { ...(sent as unknown as Members), ...(method === 'put' ? aUser() : {}) },
        });
        expect([Object.keys(responses ?? {})[0], String(status)], `${method} ${at}: ${told}`).to.deep.equal([
          String(status),
          String(status),
        ]);
        await service.send(`/scim/v2/Users/${id}`, { method: 'DELETE' });
      }
    await service.close();
  });

  it('is the same whatever is set, but for where the service stands', async () => {
    const service = await startService({ publicUrl: 'https://directory.example/here', basePath: '/v1' });
    const there = (await service.send('/v1/scim/v2/openapi.json', { anonymous: true })).json();
    const here = JSON.stringify(there.paths).replaceAll('https://directory.example/here/', '/');
    // Not compared by chai, which would take minutes to show how they differ.
    expect(here === JSON.stringify(contract.paths)).to.equal(true);
    expect(there.servers).to.deep.equal([
      { url: 'https://directory.example/here', description: 'This service' },
    ]);
    await service.close();
  });
});

describe('The published text of the SCIM contract', () => {
  it('says in words what no schema can', async () => {
    const words = await publishedText(contractPath);
    for (const said of [
      'any case of letters',
      'meta.version',
      'application/scim+json',
      '/scim/v2/Me',
      'users:delete',
    ])
      expect(words).to.include(said);
  });
});
