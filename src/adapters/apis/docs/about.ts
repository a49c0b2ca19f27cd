/** The head of the OpenAPI document: title, version and description of the service as a whole. */
import { scopes } from '../../../domain/scopes.ts';
import type { ContractInfo } from '../../contracts/openapi.ts';
import type { Format } from '../../formats/format.ts';
import { formats } from '../../formats/index.ts';
import { contractVersion } from './version.ts';

/** `in JSON and in XML` */
const listFormats = (some: readonly Format[]): string =>
  new Intl.ListFormat('en').format(some.map(({ name }) => `in ${name.toUpperCase()}`));

/** OpenAPI has no schema for their documents. */
const withoutSchema = formats.filter(({ inContracts }) => inContracts.body === 'nothing');
const examplesOnly =
  withoutSchema.length === 0 ? '' : ` Of documents ${listFormats(withoutSchema)} it has examples only.`;

const description = `A user directory: the same users ${listFormats(formats)}.

- **Formats.** Every answer with a body is negotiated by \`Accept\`, errors included. For JSON this document is the whole contract. For XML it
  says what OpenAPI can say; the contract is the XML Schema, \`/schemas/user.xsd\` (errors: \`/schemas/problem.xsd\`): OpenAPI 3.1 has no words for
  \`<attribute name="floor">2</attribute>\`. \`/schemas/user.json\` is the JSON Schema alone.${examplesOnly}
- **Locking.** Read the \`ETag\`, change with it in \`If-Match\`; 412 means that somebody else was first.
- **Errors** are problem details (RFC 9457). Each \`type\` is the URL of a page that tells what it means and what to do.
- **Methods.** What answers to GET answers to HEAD, without the body, and every path to OPTIONS: 204, with its methods in \`Allow\`. Neither is listed below. Other
  methods are answered with 405 and \`Allow\`, other paths with 404; where credentials are needed, only to who has some.
  A method that HTTP does not know gets 501. \`/\` leads to \`/docs\`. \`OPTIONS *\` tells all methods, to everybody.
- **Credentials** come with every request: a signed token (Bearer), or an API key (Basic, or Bearer as \`<id>.<secret>\`). Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}; they reach the
  whole directory, and \`users:write\` includes reading. A token comes from the issuer that the operator has set up; on a developer's own machine
  \`npm run token\` prints one, and \`npm run api-key\` makes a key.
- **Growth.** Members, header fields, problem types and operations may be added: ignore what you do not know.`;

export const about: ContractInfo = { title: 'User management', version: contractVersion, description };
