import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { breakingInOpenApi, saysSo } from './breaking.ts';
import { breakingInXsd } from './breaking-xsd.ts';
import { current, objections, recorded } from './recorded.ts';

const now = await current();
const document = parse(now['openapi.yaml']);

describe('The contract that was recorded', () => {
  it('is the one that is published (else: node build/test/adapters/contracts/record.js)', () => {
    const old = recorded();
    if (old === undefined) throw new Error('no contract was recorded');
    expect(objections(old, now)).to.deep.equal([]);
    expect(now).to.deep.equal(old);
  });
});

/** Anything by its path; the tests reach deep into the document. */
// biome-ignore lint/suspicious/noExplicitAny: what is changed here by name is checked by what the comparison says of it
type Document = any;

describe('A change of the OpenAPI document', () => {
  const changes: readonly [name: string, change: (document: Document) => void, told?: RegExp][] = [
    ['a path that goes', (d) => delete d.paths['/users/{id}'], /GET \/users\/\{id\}: it is gone/],
    ['a method that goes', (d) => delete d.paths['/users'].post, /POST \/users: it is gone/],
    [
      'a media type that goes',
      (d) => delete d.paths['/users'].get.responses[200].content['text/xml'],
      /text\/xml is gone/,
    ],
    ['a success that goes', (d) => delete d.paths['/users/{id}'].get.responses[304], /304 is gone/],
    [
      'a success that comes',
      (d) => Object.assign(d.paths['/users'].post.responses, { 202: { description: 'Later.' } }),
      /202 is a success/,
    ],
    [
      'a header that goes',
      (d) => delete d.paths['/users'].post.responses[201].headers.Location,
      /Location may be missing/,
    ],
    ['a filter that goes', (d) => d.paths['/users'].get.parameters.shift(), /parameter userName is gone/],
    [
      'a parameter that is needed',
      (d) =>
        d.paths['/users'].get.parameters.push({ name: 'tenant', in: 'query', required: true, schema: {} }),
      /tenant is required/,
    ],
    [
      'another scope',
      (d) => {
        d.paths['/users'].get.security[0].bearer = ['users:write'];
      },
      /other credentials/,
    ],
    [
      'another operationId',
      (d) => {
        d.paths['/users'].get.operationId = 'getUsers';
      },
      /operationId/,
    ],
    ['a member that goes', (d) => delete d.components.schemas.User.properties.title, /title is gone/],
    ['a member that may be missing', (d) => d.components.schemas.User.required.pop(), /meta may be missing/],
    [
      'a member that is needed',
      (d) => d.components.schemas.UserInput.required.push('title'),
      /title is required/,
    ],
    [
      'a member of another type',
      (d) => {
        d.components.schemas.User.properties.active.type = 'string';
      },
      /active: type/,
    ],
    [
      'a narrower limit',
      (d) => {
        d.components.schemas.UserInput.properties.title.anyOf[0].maxLength = 10;
      },
      /maxLength is lower/,
    ],
    [
      'a pattern where there was none',
      (d) => {
        d.components.schemas.UserInput.properties.title.anyOf[0].pattern = '^x$';
      },
      /pattern/,
    ],
    [
      'empty texts that were not shown',
      (d) => {
        d.components.schemas.User.properties.title.minLength = 0;
      },
      /minLength/,
    ],
    [
      'another element in XML',
      (d) => {
        d.components.schemas.User.xml.name = 'person';
      },
      /xml is another/,
    ],
    [
      'a member that comes',
      (d) => {
        d.components.schemas.User.properties.badge = { type: 'string' };
      },
    ],
    [
      'a member that may be sent',
      (d) => {
        d.components.schemas.UserInput.properties.badge = { type: 'string' };
      },
    ],
    [
      'a wider limit',
      (d) => {
        d.components.schemas.UserInput.properties.title.anyOf[0].maxLength = 1000;
      },
    ],
    [
      'a filter that comes',
      (d) => d.paths['/users'].get.parameters.push({ name: 'title', in: 'query', schema: {} }),
    ],
    [
      'a path that comes',
      (d) => {
        d.paths['/groups'] = { get: { responses: {} } };
      },
    ],
    [
      'a problem that comes',
      (d) => Object.assign(d.paths['/users'].get.responses, { 429: { description: 'Slower.' } }),
    ],
    [
      'other words',
      (d) => {
        d.info.description = 'Other words.';
      },
    ],
  ];
  for (const [name, change, told] of changes) {
    it(told === undefined ? `breaks nothing: ${name}` : `breaks clients: ${name}`, () => {
      const before: Document = document;
      const after: Document = structuredClone(document);
      change(after);
      expect(after).not.to.deep.equal(before);
      const breaking = breakingInOpenApi(before, after).join('\n');
      if (told === undefined) expect(breaking).to.equal('');
      else expect(breaking).to.match(told);
    });
  }

  it('is recorded only when the version says enough of it', () => {
    const broken: Document = structuredClone(document);
    delete broken.paths['/users'].post;
    expect(objections(now, { ...now, 'openapi.yaml': stringify(broken) }).join()).to.match(
      /it is gone.*first number/,
    );
    expect(saysSo('1.4.0', '1.5.0', false)).to.equal(true);
    expect(saysSo('1.4.0', '1.4.1', false)).to.equal(false);
    expect(saysSo('1.4.0', '1.5.0', true)).to.equal(false);
    expect(saysSo('1.4.0', '2.0.0', true)).to.equal(true);
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
      const breaking = breakingInXsd(before, after).join('\n');
      if (told === undefined) expect(breaking).to.equal('');
      else expect(breaking).to.match(told);
    });
  }
});
