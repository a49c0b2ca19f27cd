import { expect } from 'chai';
import { startService, type TestService } from '../../../support/service.ts';

interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly canonicalValues?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

interface Schemas {
  readonly Resources: readonly { readonly id: string; readonly attributes: readonly Attribute[] }[];
}

/** Paths that Entra ID makes of an attribute: of a list, one for each usual type. */
function pathsOf({ name, multiValued, subAttributes = [] }: Attribute): readonly string[] {
  if (subAttributes.length === 0 || name === 'manager') return [name];
  const subs = subAttributes.map((sub) => sub.name);
  if (!multiValued) return subs.map((sub) => `${name}.${sub}`);
  const types = subAttributes.find((sub) => sub.name === 'type')?.canonicalValues ?? [];
  return [name, ...types.flatMap((type) => subs.map((sub) => `${name}[type eq "${type}"].${sub}`))];
}

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Those that Entra ID's own mappings of a new application go to. */
const mapped = [
  ...['userName', 'active', 'displayName', 'title', 'preferredLanguage', 'externalId', 'roles'],
  ...['name.givenName', 'name.familyName', 'name.formatted', 'emails[type eq "work"].value'],
  ...['work', 'mobile', 'fax'].map((type) => `phoneNumbers[type eq "${type}"].value`),
  ...['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'].map(
    (sub) => `addresses[type eq "work"].${sub}`,
  ),
  ...['employeeNumber', 'department', 'manager'].map(
    (name) => `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:${name}`,
  ),
];

describe('Microsoft Entra ID, before it provisions users', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('discovers every attribute that its default mappings use', async () => {
    const { text } = await service.send('/scim/v2/Schemas');
    const { Resources } = JSON.parse(text) as Schemas;
    const discovered = Resources.flatMap(({ id, attributes }) =>
      attributes.flatMap(pathsOf).map((path) => (id === core ? path : `${id}:${path}`)),
    );
    expect(mapped.filter((path) => !discovered.includes(path))).to.deep.equal([]);
  });

  it('may ask twenty-five times at once whether a user exists', async () => {
    const ask = (_: unknown, index: number) =>
      service.send(`/scim/v2/Users?filter=userName+eq+%22nobody${index}%22`);
    const answers = await Promise.all(Array.from({ length: 25 }, ask));
    const empty = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...{ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
    };
    for (const answer of answers) expect(answer.json()).to.deep.equal(empty);
  });
});
