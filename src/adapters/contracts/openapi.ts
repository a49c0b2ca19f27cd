/** The OpenAPI 3.1 document, from the routes, the problems, the scopes and the schema that validates. */
import { scopes } from '../../domain/scopes.ts';
import { User, UserInput } from '../../domain/user.ts';
import { userNaming } from '../formats/user-naming.ts';
import { Problems } from './answers.ts';
import { Components } from './components.ts';
import type { ContractParts, Published } from './documents.ts';
import { headerComponents, headerParameters } from './headers.ts';
import { queryParameters } from './list-parameters.ts';
import { plain, type Schema } from './names.ts';
import { probePaths, publishedPaths } from './open-operations.ts';
import { userPaths } from './operations.ts';
import { addSchemas } from './schemas.ts';
import { keywordsOf, shownDocument } from './shown.ts';
import { contractVersion } from './version.ts';

const about = `A user directory: the same users in JSON and in XML.

- **Formats.** Every answer with a body is negotiated by \`Accept\`, errors included. For JSON this document is the whole contract. For XML it
  says what OpenAPI can say; the contract is the XML Schema, \`/schemas/user.xsd\` (errors: \`/schemas/problem.xsd\`): OpenAPI 3.1 has no words for
  \`<attribute name="costCenter">42</attribute>\`. \`/schemas/user.json\` is the JSON Schema alone.
- **Locking.** Read the \`ETag\`, change with it in \`If-Match\`; 412 means that somebody else was first.
- **Errors** are problem details (RFC 9457). Each \`type\` is the URL of a page that tells what it means and what to do.
- **Other methods** than those below are answered with 405 and \`Allow\`, other paths with 404; both only to who is authenticated.
  A method that HTTP does not know gets 501. \`/\` leads to \`/docs\`. \`OPTIONS *\` tells all methods, to everybody.
- **Credentials** come with every request: a signed token (Bearer), or an API key (Basic). Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}; they reach the
  whole directory, and \`users:write\` includes reading.
- **Growth.** Members, header fields, problem types and operations may be added: ignore what you do not know.`;

const tags = [
  { name: 'users', description: 'The directory.' },
  { name: 'health', description: 'Probes for whatever runs the service. They need no credentials.' },
  {
    name: 'contract',
    description: 'What the service publishes of itself. It needs no credentials and may be cached.',
  },
];

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A signed token (RFC 9068) with scopes in `scope` or `scp`.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'The id and the secret of an API key.' },
};

/** A user's element as a client sends it: the XML Schema says it better. */
function addElements(to: Components): void {
  const description = 'A `<user>` as a client sends it. The contract is the XML Schema, /schemas/user.xsd.';
  for (const [name, required] of [
    ['UserElement', plain(UserInput).required],
    ['UserPatchElement', undefined],
  ] as const) {
    const { required: _all, ...schema } = plain(UserInput);
    const whole = { ...schema, ...(required === undefined ? {} : { required }), description };
    shownDocument(whole as never, userNaming, to, name);
  }
}

const idParameter = {
  ...{
    name: 'id',
    in: 'path',
    required: true,
    description: "The user's id; its letters may be in either case.",
  },
  schema: { ...keywordsOf(User.properties.id, ['description', 'pattern']), format: 'uuid' },
  example: '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10',
};

function references(tree: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof tree !== 'object' || tree === null) return found;
  if ('$ref' in tree) found.add(String(tree.$ref));
  for (const value of Object.values(tree)) references(value, found);
  return found;
}

export function openApi({ url }: ContractParts, documents: readonly Published[]): Schema {
  const schemas = new Components('#/components/schemas/', true);
  addSchemas(schemas);
  addElements(schemas);
  const all = new Problems(url);
  const paths = {
    ...userPaths(all),
    ...probePaths(all),
    ...publishedPaths(documents, all),
  };
  const responses = all.components();
  return {
    openapi: '3.1.1',
    info: {
      title: 'User management',
      version: contractVersion,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: url('') === '' ? '/' : url(''), description: 'This service' }],
    tags,
    paths,
    components: {
      schemas: schemas.all(),
      responses,
      parameters: { id: idParameter, ...queryParameters(), ...headerParameters() },
      headers: headerComponents(references({ paths, responses })),
      securitySchemes,
    },
  };
}
