import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { findBreaksInOpenApi, isVersionRaised } from './breaking.ts';
import { findBreaksInXsd } from './breaking-xsd.ts';
import { findObjections, readPublished, readRecorded } from './recorded.ts';

const now = await readPublished();
const document: Readonly<Record<string, unknown>> = parse(now['openapi.yaml']);

describe('The recorded contract', () => {
  it('equals the published one (otherwise: node test/adapters/contracts/record.ts)', () => {
    const old = readRecorded();
    expect(findObjections({ ...now, ...old }, now)).to.deep.equal([]);
    expect(now).to.deep.equal(old);
  });

  it('has the last version of the history in docs/compatibility.md', () => {
    const [, history = ''] = readFileSync('docs/compatibility.md', 'utf8').split('## History');
    const versions = Array.from(history.matchAll(/^\| (\d+\.\d+) \|/gm), ([, version]) => version);
    expect(versions.length).to.be.above(3);
    expect(parse(now['openapi.yaml']).info.version).to.equal(`${versions.at(-1)}.0`);
  });
});

type Step = string | number;

/** A copy in which one place holds something else, or nothing more when `value` is undefined; `-` stands for one more in a list. */
function edit(tree: unknown, steps: readonly Step[], value: unknown): unknown {
  const copy: unknown = structuredClone(tree);
  const place = steps.slice(0, -1).reduce<unknown>((at, step) => Reflect.get(Object(at), step), copy);
  const last = steps.at(-1) ?? '';
  if (Array.isArray(place) && last === '-') place.push(value);
  else if (Array.isArray(place) && value === undefined) place.splice(Number(last), 1);
  else if (value === undefined) Reflect.deleteProperty(Object(place), last);
  else Reflect.set(Object(place), last, value);
  return copy;
}

const list = ['paths', '/users', 'get'];
const create = ['paths', '/users', 'post'];
const shown = ['components', 'schemas', 'User'];
const taken = ['components', 'schemas', 'UserInput'];
const title = [...taken, 'properties', 'title'];
const cursor = ['components', 'parameters', 'afterParameter', 'schema'];
const tenant = { name: 'tenant', in: 'query', required: true, schema: {} };

describe('A change of the OpenAPI document', () => {
  const changes: readonly [name: string, steps: readonly Step[], value: unknown, told?: RegExp][] = [
    ['a path that goes', ['paths', '/users/{id}'], undefined, /GET \/users\/\{id\}: it is gone/],
    ['a method that goes', create, undefined, /POST \/users: it is gone/],
    [
      'a media type that goes',
      [...list, 'responses', '200', 'content', 'application/xml'],
      undefined,
      /application\/xml is gone/,
    ],
    ['a success that goes', [...list, 'responses', '304'], undefined, /304 is gone/],
    ['a success that comes', [...create, 'responses', '202'], { description: 'Later.' }, /202 is a success/],
    [
      'a header that goes',
      [...create, 'responses', '201', 'headers', 'Location'],
      undefined,
      /Location may be missing/,
    ],
    ['a filter that goes', [...list, 'parameters', 0], undefined, /parameter userName is gone/],
    ['a parameter that is needed', [...list, 'parameters', '-'], tenant, /tenant is required/],
    ['another scope', [...list, 'security', 0, 'bearer'], ['users:write'], /other credentials/],
    ['another operationId', [...list, 'operationId'], 'getUsers', /operationId/],
    ['a member that goes', [...shown, 'properties', 'title'], undefined, /title is gone/],
    ['a member that may be missing', [...shown, 'required', 3], undefined, /meta may be missing/],
    ['a member that is needed', [...taken, 'required', '-'], 'title', /title is required/],
    ['a member of another type', [...shown, 'properties', 'active', 'type'], 'string', /active: type/],
    ['a narrower limit', [...title, 'maxLength'], 10, /maxLength is lower/],
    ['another pattern', [...title, 'pattern'], '^x$', /pattern/],
    ['empty texts that were not shown', [...shown, 'properties', 'title', 'minLength'], 0, /minLength/],
    ['another element in XML', [...shown, 'xml', 'name'], 'person', /xml is another/],
    ['a member that comes', [...shown, 'properties', 'badge'], { type: 'string' }],
    ['a member that may be sent', [...taken, 'properties', 'badge'], { type: 'string' }],
    ['a wider limit', [...title, 'maxLength'], 1000],
    ['a shorter pattern', [...cursor, 'pattern'], '^[A-Za-z0-9_-]{32,50}$', /after: pattern is another/],
    ['a pattern of other characters', [...cursor, 'pattern'], '^[a-z]{1,1000}$', /after: pattern is another/],
    ['a longer pattern', [...cursor, 'pattern'], '^[A-Za-z0-9_-]{1,1000}$'],
    ['a filter that comes', [...list, 'parameters', '-'], { ...tenant, required: false }],
    ['a path that comes', ['paths', '/machines'], { get: { responses: {} } }],
    ['a problem that comes', [...list, 'responses', '429'], { description: 'Slower.' }],
    ['other words', ['info', 'description'], 'Other words.'],
  ];
  for (const [name, steps, value, told] of changes) {
    it(told === undefined ? `breaks nothing: ${name}` : `breaks clients: ${name}`, () => {
      const after = edit(document, steps, value);
      expect(after).not.to.deep.equal(document);
      const breaking = findBreaksInOpenApi(document, after as typeof document).join('\n');
      if (told === undefined) expect(breaking).to.equal('');
      else expect(breaking).to.match(told);
    });
  }

  it('is recorded only with a version number that fits its severity', () => {
    const broken = stringify(edit(document, create, undefined));
    expect(findObjections(now, { ...now, 'openapi.yaml': broken }).join()).to.match(
      /it is gone.*first number/,
    );
    expect(isVersionRaised('1.4.0', '1.5.0', false)).to.equal(true);
    expect(isVersionRaised('1.4.0', '1.4.1', false)).to.equal(false);
    expect(isVersionRaised('1.4.0', '1.5.0', true)).to.equal(false);
    expect(isVersionRaised('1.4.0', '2.0.0', true)).to.equal(true);
  });
});

describe('A change of the XML Schema', () => {
  const title = '<xs:element name="title" minOccurs="0">';
  const changes: readonly [name: string, change: (xsd: string) => string, told?: RegExp][] = [
    [
      'an element that goes by another name',
      (xsd) => xsd.replace('name="title"', 'name="jobTitle"'),
      /title\] is gone/,
    ],
    [
      'an element that is needed',
      (xsd) => xsd.replace(title, title.replace(' minOccurs="0"', '')),
      /minOccurs is gone/,
    ],
    ['a narrower limit', (xsd) => xsd.replace('value="128"', 'value="127"'), /is 127, was 128/],
    [
      'another namespace',
      (xsd) => xsd.replaceAll('urn:user-management:1', 'urn:user-management:2'),
      /targetNamespace/,
    ],
    ['another type', (xsd) => xsd.replace('type="xs:boolean"', 'type="xs:string"'), /is xs:string/],
    [
      'a pattern where there was none',
      (xsd) =>
        xsd.replace('<xs:maxLength value="255"/>', '<xs:maxLength value="255"/><xs:pattern value="a"/>'),
      /is new/,
    ],
    ['a wider limit', (xsd) => xsd.replace('value="128"', 'value="129"')],
    [
      'an optional element that comes',
      (xsd) => xsd.replace(title, `<xs:element name="badge" minOccurs="0" type="xs:string"/>${title}`),
    ],
    [
      'an attribute that is needed',
      (xsd) => xsd.replace('<xs:attribute name="total"', '<xs:attribute name="page" use="required"/>$&'),
      /attribute\[page\] is new/,
    ],
    [
      'an optional attribute that comes',
      (xsd) => xsd.replace('<xs:attribute name="total"', '<xs:attribute name="page"/>$&'),
    ],
    [
      'a type that comes',
      (xsd) =>
        xsd.replace(
          '<xs:complexType name="Name">',
          '<xs:complexType name="Badge"/><xs:complexType name="Name">',
        ),
    ],
    ['other words', (xsd) => xsd.replace('Job title.', 'What the card says.')],
  ];
  for (const [name, change, told] of changes) {
    it(told === undefined ? `breaks nothing: ${name}` : `breaks clients: ${name}`, () => {
      const before = now['user.xsd'];
      const after = change(before);
      expect(after).not.to.equal(before);
      const breaking = findBreaksInXsd(before, after).join('\n');
      if (told === undefined) expect(breaking).to.equal('');
      else expect(breaking).to.match(told);
    });
  }
});

describe("A change of SCIM's schemas", () => {
  const name = 'scim-attributes.txt';
  const found = (change: (text: string) => string) => {
    const after = change(now[name]);
    expect(after).not.to.equal(now[name]);
    return findObjections(now, { ...now, [name]: after }).join();
  };

  it('is compatible when an attribute is added', () => {
    expect(found((text) => `${text}urn:x:badge: type="string"\n`)).to.equal('');
  });

  it('is not recorded when an attribute is removed or changed', () => {
    expect(found((text) => text.replace(/^.*:title: .*\n/m, ''))).to.match(
      /:title: .* is gone, or is another/,
    );
    expect(found((text) => text.replace('caseExact=true', 'caseExact=false'))).to.match(/caseExact=true/);
    expect(found((text) => text.replace('mutability="readWrite"', 'mutability="readOnly"'))).to.match(
      /readWrite/,
    );
  });
});
