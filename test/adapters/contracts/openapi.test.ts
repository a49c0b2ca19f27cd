import { expect } from 'chai';
import { scopes } from '../../../src/domain/scopes.ts';
import { needed } from '../../outside/tools.ts';
import {
  apis,
  type Json,
  problems,
  publishedJson,
  publishedText,
  validator,
} from '../../support/contract.ts';
import { faultsBySchema } from '../../support/xml-schema.ts';

const document = await publishedJson('/openapi.json');
const text = JSON.stringify(document);

interface Media {
  readonly place: string;
  readonly type: string;
  readonly schema: unknown;
  readonly examples: readonly unknown[];
}

/** Everything in a document that says how something looks in a media type. */
function mediaIn(tree: unknown, place = '#'): Media[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]: [string, Json]) => {
    if (name !== 'content') return mediaIn(value, `${place}/${name}`);
    return Object.entries(value as unknown as Record<string, Json>).map(([type, { schema, examples }]) => ({
      ...{ place, type, schema },
      examples: Object.values((examples ?? {}) as unknown as Record<string, Json>).map(
        (example) => example.value,
      ),
    }));
  });
}

const media = mediaIn(document);

describe('The OpenAPI document', () => {
  it('names every route with its scope, and every problem', () => {
    const routes = apis.flatMap((api) => api.routes);
    for (const { method, path } of routes.filter(({ answers }) =>
      answers.some(({ status }) => status < 300),
    )) {
      const item = document.paths?.[path.replaceAll(/:([a-z]+)/g, '{$1}')];
      expect(item?.[method.toLowerCase()]?.operationId, `${method} ${path}`).to.be.a('string');
    }
    for (const scope of scopes) expect(text).to.include(`"bearer":["${scope}"]`);
    const elsewhere = ['method-not-allowed'];
    for (const code of Object.keys(problems)) {
      if (!elsewhere.includes(code)) expect(text, code).to.include(`"/problems/${code}"`);
      expect(text, code).to.include(`"${code}"`);
    }
  });

  it('describes bodies in plain types for client generators', () => {
    const schemas = Object.entries((document.components?.schemas ?? {}) as unknown as Record<string, Json>);
    const keywords: string[] = [];
    JSON.stringify(schemas, (name, value: unknown) => {
      keywords.push(name);
      const { type, items } = Object(value);
      if ([type].flat().includes('array')) expect(items, JSON.stringify(value)).to.be.an('object');
      return value;
    });
    for (const other of [
      'anyOf',
      'oneOf',
      'allOf',
      'contains',
      'minContains',
      'uniqueItems',
      'patternProperties',
    ])
      expect(keywords).not.to.include(other);
    const [, user] = schemas.find(([name]) => name === 'UserInput') ?? [];
    for (const one of Object.values((user?.properties ?? {}) as unknown as Record<string, Json>))
      expect(one.type ?? one.$ref, JSON.stringify(one)).to.be.a('string');
  });

  it('has no schemas and parameters whose names differ only in case', () => {
    const namesOf = (part: string) =>
      Object.keys(document.components?.[part] ?? {}).map((name) => name.toLowerCase());
    const parameters = namesOf('parameters');
    expect(parameters).not.to.deep.equal([]);
    expect(namesOf('schemas').filter((name) => parameters.includes(name))).to.deep.equal([]);
  });

  it('has one schema for all problems', () => {
    const problemMedia = media.filter(({ type }) => type === 'application/problem+json');
    expect(problemMedia.length).to.be.above(20);
    for (const { place, schema } of problemMedia)
      expect(schema, place).to.deep.equal({ $ref: '#/components/schemas/Problem' });
  });

  it('omits the service’s own keywords', () => {
    for (const own of ['item', 'entry', 'must', 'scim', '~kind', '~optional'])
      expect(text).not.to.include(`"${own}":`);
  });

  it('has JSON examples that match their schemas', () => {
    const ajv = validator();
    ajv.addSchema({ $id: 'https://contract.example/openapi', components: document.components });
    const inJson = media.filter(({ type, examples }) => /json$/.test(type) && examples.length > 0);
    expect(inJson.length).to.be.above(20);
    for (const { place, type, schema, examples } of inJson) {
      const absolute = JSON.stringify(schema).replaceAll('"#/', '"https://contract.example/openapi#/');
      const validate = ajv.compile(JSON.parse(absolute));
      for (const example of examples)
        expect(validate(example), `${place} ${type}: ${JSON.stringify(validate.errors)}`).to.equal(true);
    }
  });

  it('has XML examples that match the XML Schema, except partial users', async function () {
    needed(this, 'xmllint');
    for (const [schema, root] of [
      ['user', /<users? /],
      ['group', /<groups? /],
      ['changes', /<changes /],
      ['members', /<members /],
      ['problem', /<problem /],
    ] as const) {
      const examples = media
        .filter(({ place, type }) => /[/+]xml(?:;|$)/.test(type) && !/\/patch\/requestBody/.test(place))
        .flatMap((one) => one.examples.map(String))
        .filter((example) => root.test(example));
      expect(examples.length, schema).to.be.above(schema === 'members' ? 1 : 5);
      const faults = faultsBySchema(await publishedText(`/schemas/${schema}.xsd`), examples);
      expect(faults.filter((fault) => fault !== undefined)).to.deep.equal([]);
    }
  });

  it('has an example in each format for every body', () => {
    const bodies = media.filter(({ schema }) => Object.keys(schema as object).length > 0);
    for (const { place, type, examples } of bodies)
      expect(examples, `${place} ${type}`).not.to.deep.equal([]);
    const types = new Set(bodies.map(({ type }) => type));
    expect(types).to.include.all.keys(
      'application/json',
      'application/xml',
      'text/xml',
      'application/merge-patch+json',
    );
  });

  it('describes every member of the user', () => {
    const schemas = (document.components?.schemas ?? {}) as unknown as Record<string, Json>;
    const find = ({ $ref }: Json): Json | undefined => schemas[String($ref).replace(/^.*\//, '')];
    for (const [name, schema] of Object.entries((schemas.User?.properties ?? {}) as Record<string, Json>)) {
      const { items = schema } = schema as { items?: Json };
      expect(schema.description ?? find(items)?.description, name).to.be.a('string');
    }
  });
});
