/** The OpenAPI document, as JSON and as YAML, and the XML Schema of problems; and the same for each minor version of the contract. */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scopes } from '../../../domain/scopes.ts';
import type { ContractInfo } from '../../contracts/openapi.ts';
import { xsdDocument } from '../../contracts/schema-documents.ts';
import { contractVersion, contractVersions } from '../../contracts/versions.ts';
import { formats } from '../../formats/index.ts';
import type { Format } from '../../formats/port/format.ts';
import type { DescribedApi } from '../../http/pipeline/api.ts';
import type { Urls } from '../../http/pipeline/urls.ts';
import { type PrintProblem, ProblemDocument, problemNaming } from '../../http/problems/problems.ts';
import { cachedForEver, type StaticDocument } from '../../http/static-documents.ts';
import { packageFolder, wordsOf } from '../../system/program.ts';

/** `in JSON and in XML` */
const listFormats = (some: readonly Format[]): string =>
  new Intl.ListFormat('en').format(some.map(({ name }) => `in ${name.toUpperCase()}`));

/** For formats whose documents an OpenAPI schema can't describe. */
function examplesOnly(): string {
  const withoutSchema = formats.filter(({ inContracts }) => inContracts.body === 'nothing');
  return withoutSchema.length === 0
    ? ''
    : ` Documents ${listFormats(withoutSchema)} are shown by examples only.`;
}

const printDescription = (): string => `A user directory. It serves the same users ${listFormats(formats)}.

**A first request.** On your own machine, \`${wordsOf('token', '--silent')} --scope "users:read users:write users:delete"\` prints a token. Choose *Authorize* and paste it under *bearer*. Then open *Create a user* and choose *Execute*: the requests on this page are filled in, and the others find the user that this one creates. 409 means that a user has this name already: change \`userName\` and \`id\`, or read the user by its id in *List users*.

- **Credentials.** Every request carries a signed token (Bearer) or an API key (Basic, or Bearer as \`<id>.<secret>\`). Tokens come from the issuer that the operator has set up. API keys work where the service runs with \`USERS_API_KEYS_FILE\`; \`${wordsOf('api-key', '--silent')} --id my-client --scope "users:read users:write"\` creates one. The scopes are ${scopes.map((scope) => `\`${scope}\``).join(', ')}. Each applies to the whole directory, and \`users:write\` and \`groups:write\` include reading. \`GET /access\` shows what yours may do.
- **Formats.** \`Accept\` chooses the format of every answer, errors included. Of types with equal weights, one that is named goes before \`*/*\`, then that of the request’s body, then the first in the list; without \`Accept\`, the answer to a body is in the format of the body. This document is the complete contract for JSON, and client generators read it. The contract for XML is the XML Schema, \`/schemas/user.xsd\` (groups: \`/schemas/group.xsd\` and \`/schemas/members.xsd\`; changes: \`/schemas/changes.xsd\`; access: \`/schemas/access.xsd\`; receivers of webhooks: \`/schemas/webhooks.xsd\`; errors: \`/schemas/problem.xsd\`). \`/schemas/user.json\` and \`/schemas/group.json\` are the JSON Schemas alone. All documents of a minor version stay at its own paths: \`/schemas/${contractVersions[0]}/openapi.json\`, \`/schemas/${contractVersions[0]}/user.xsd\`.${examplesOnly()}
- **Locking.** Send the \`ETag\` of what you read as \`If-Match\` with your change. 412 means that the user has changed since.
- **Errors** are problem details (RFC 9457). Each \`type\` is the URL of a page that explains the problem and how to solve it.
- **Methods.** HEAD works wherever GET does, and OPTIONS on every path: it returns 204 with \`Allow\`. They are not listed below. Other methods return 405, other paths 404, and query parameters that an operation does not list 400; on paths that need credentials, only requests that have them get these answers. Methods that HTTP does not define return 501. A slash at the end of a path makes no difference, except below \`/docs\` and for the documents of this contract. \`/\` redirects to \`/docs\`. \`OPTIONS *\` lists all methods and needs no credentials.
- **Growth.** Later releases may add members, header fields, problem types and operations: ignore those that you do not know.`;

/** Made on demand: few processes publish the document. */
const about = (): ContractInfo => ({
  title: 'User management',
  version: contractVersion,
  description: printDescription(),
});

const problemsAbout =
  'Problem details (RFC 9457, appendix B) as the service writes them. Further optional elements may be added: ignore what you do not know.';

/** @param apis called when a document is made, since one of them is the API that publishes it */
export function contractDocuments(
  apis: () => readonly DescribedApi[],
  url: Urls,
  printProblem: PrintProblem,
): StaticDocument[] {
  const describe = async () => {
    const { openApi } = await import('../../contracts/openapi.ts');
    return openApi({ info: about(), apis: apis(), url, printProblem });
  };
  return [
    {
      path: '/openapi.json',
      contentType: 'application/json',
      summary: 'This document, as JSON',
      make: async () => JSON.stringify(await describe(), null, 2),
    },
    {
      path: '/openapi.yaml',
      contentType: 'application/yaml',
      summary: 'This document, as YAML',
      async make() {
        // In the bundle, a dynamically imported CommonJS package has no named exports.
        const [document, { default: yaml }] = await Promise.all([describe(), import('yaml')]);
        return yaml.stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
      },
    },
    xsdDocument('problem', 'Problems as XML Schema', {
      of: { schema: ProblemDocument, naming: problemNaming },
      about: [problemsAbout],
    }),
  ];
}

const folder = join(packageFolder(), 'contracts');

/** Without YAML, which would be equal to the JSON. */
const isVersioned = ({ path }: StaticDocument): boolean => !path.endsWith('.yaml');

const nameOf = ({ path }: StaticDocument): string => path.slice(path.lastIndexOf('/') + 1);

/** Earlier versions lack documents that later ones added. */
function frozenAt(version: string, documents: readonly StaticDocument[]): readonly StaticDocument[] {
  const files = new Set(readdirSync(join(folder, version)));
  return documents
    .filter((document) => files.has(nameOf(document)))
    .map((document) => ({
      ...document,
      caching: cachedForEver,
      make: () => readFile(join(folder, version, nameOf(document))),
    }));
}

/**
 * `/schemas/1.12/user.xsd`: the documents of each minor version of the contract, for clients that stay with it. Those of the current version
 * are made like the others; those of earlier ones are files in contracts/, which the tests recorded (test/adapters/contracts/freeze.ts).
 * @param published the documents of the current version, at their usual paths
 */
export function versionedDocuments(published: readonly StaticDocument[]): readonly StaticDocument[] {
  const current = published.filter(isVersioned);
  return contractVersions.flatMap((version) =>
    (version === contractVersions.at(-1) ? current : frozenAt(version, current)).map((document) => ({
      ...document,
      path: `/schemas/${version}/${nameOf(document)}`,
      route: '/schemas/:version/:document',
      summary: 'The contract of a minor version',
    })),
  );
}
