/**
 * `/access`: what the credentials of a request may do. It needs no scope.
 *
 * A client could find out the same by trying, so the document has nothing about other credentials, nor about the installation.
 */
import * as Type from 'typebox';
import type { Caller } from '../../../domain/ports.ts';
import { scopes } from '../../../domain/scopes.ts';
import { contractVersions } from '../../contracts/versions.ts';
import type { Format } from '../../formats/port/format.ts';
import type { DescribedApi, DocumentType } from '../../http/pipeline/api.ts';
import { assertPresent } from '../../http/pipeline/context.ts';
import { respondUnstored } from '../../http/pipeline/respond.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { Author, toAuthor } from '../changes/documents.ts';
import { namespace } from '../resources/definition.ts';

const Access = Type.Object(
  {
    ...Author.properties,
    expires: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the service begins to refuse the credentials. Left out if they do not expire.',
      }),
    ),
    scopes: Type.Array(Type.String(), {
      item: 'scope',
      minItems: 0,
      description:
        'The scopes of this service that the credentials have, with those that others include, sorted. May be empty.',
    }),
    contract: Type.String({
      description:
        'The version of the contract that the client gets: the one that it is pinned to, or the latest.',
    }),
  },
  { description: 'What the credentials of the request may do.' },
);

const document: DocumentType = {
  name: 'Access',
  schema: Access,
  naming: { one: 'access', many: 'access', namespace },
  example: {
    client: 'console',
    person: { issuer: 'https://login.example.com', subject: '8f0c3f6e' },
    expires: '2026-01-02T04:04:05.000Z',
    scopes: ['groups:read', 'users:read', 'users:write'],
    contract: '1.13',
  },
};

const latest = contractVersions.at(-1);

/** In ms since 1970: RFC 3339 can't express later years. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const toDocument = ({ id, person, expires, scopes: held, contract = latest }: Caller): object => ({
  ...toAuthor({ client: id, person }),
  ...(expires !== undefined && expires <= endOfTime && { expires: new Date(expires).toISOString() }),
  // The credentials may have scopes of other services.
  scopes: scopes.filter((scope) => held.has(scope)).sort(),
  contract,
});

export function accessApi(formats: readonly [Format, ...Format[]]): DescribedApi {
  const { schema, naming } = document;
  const codecs = new Map(formats.map((format) => [format, format.codec<object>(schema, naming)] as const));
  return {
    name: 'access',
    description: 'What the credentials of a request may do.',
    prefixes: ['/access'],
    access: 'credentials',
    isShed: true,
    maxBodyBytes: 1,
    formats,
    problems: {},
    routes: [
      {
        method: 'GET',
        path: '/access',
        id: 'readAccess',
        isNegotiated: true,
        handle(ctx) {
          const { choice, principal } = ctx.state;
          const { print } = assertPresent(codecs.get(assertPresent(choice).format));
          return respondUnstored(ctx, print(toDocument(assertPresent(principal))));
        },
        summary: 'Read what your credentials may do',
        description: 'Takes any credentials that are valid, whatever their scopes.',
        headers: [],
        answers: [{ status: 200, description: 'What they may do.', shows: document, headers: [] }],
        problems: ['not-acceptable'],
      },
    ],
  };
}

/** Published beside the OpenAPI document. */
export const accessSchema: StaticDocument = {
  path: '/schemas/access.xsd',
  contentType: 'application/xml; charset=utf-8',
  summary: 'What credentials may do, as XML Schema',
  async make() {
    const [{ xsd }, { growth }, { requiredOf }] = await Promise.all([
      import('../../contracts/xsd.ts'),
      import('../resources/schemas.ts'),
      import('../../contracts/names.ts'),
    ]);
    const about = ['The document of GET /access.', growth];
    return xsd({
      schema: Access,
      naming: document.naming,
      required: requiredOf(Access),
      hasList: false,
      about,
    });
  },
};
