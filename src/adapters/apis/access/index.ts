/**
 * `/access`: what the credentials of a request may do. It needs no scope.
 *
 * A client could find out the same by trying, so the document has nothing about other credentials, nor about the installation.
 */
import * as Type from 'typebox';
import type { Access, MemberNames } from '../../../domain/find/access.ts';
import { matchesAll, matchesNone } from '../../../domain/find/conditions.ts';
import type { Kinds } from '../../../domain/kinds.ts';
import type { Caller } from '../../../domain/ports.ts';
import { scopes } from '../../../domain/scopes.ts';
import { capitalize } from '../../contracts/names.ts';
import { growth, xsdDocument } from '../../contracts/schema-documents.ts';
import { contractVersions } from '../../contracts/versions.ts';
import type { Format } from '../../formats/port/format.ts';
import type { DescribedApi, DocumentType } from '../../http/pipeline/api.ts';
import { assertPresent } from '../../http/pipeline/context.ts';
import { unstoredResponder } from '../../http/pipeline/respond.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { Author, toAuthor } from '../changes/documents.ts';
import { namespace } from '../resources/definition.ts';

const names = (description: string) =>
  Type.Array(Type.String(), { item: 'member', minItems: 0, description });

/** The words are those of the operator's file. */
const ofKind = (plural: string) =>
  Type.Optional(
    Type.Object(
      {
        filtered: Type.Boolean({
          description: 'Whether only some of them are there for the credentials, by a filter.',
        }),
        read: names(
          'The visible members, with dots between the names, such as `name.familyName`; `*`: all. `id` and `meta` are always visible.',
        ),
        except: names('Members that are hidden although `read` names them, or an object that they are in.'),
        write: names(
          'The members that may be changed if they are visible; `*`: all. A new resource may have all visible members.',
        ),
        create: Type.Boolean({ description: 'Whether new ones may be created.' }),
        delete: Type.Boolean({ description: 'Whether they may be deleted.' }),
      },
      {
        title: `AccessTo${capitalize(plural)}`,
        description: 'Left out if there are none for the credentials.',
      },
    ),
  );

const profileSchema = ({ all }: Kinds) =>
  Type.Object(
    {
      name: Type.String({ description: 'The name of the profile.' }),
      ...Object.fromEntries(all.map(({ plural }) => [plural, ofKind(plural)])),
    },
    {
      title: 'AccessProfile',
      description:
        'The access profile: what the credentials see and may write, as far as their scopes go. Left out: everything.',
    },
  );

const accessSchemaOf = (kinds: Kinds) =>
  Type.Object(
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
      profile: Type.Optional(profileSchema(kinds)),
    },
    { description: 'What the credentials of the request may do.' },
  );

const exampleOfKind = {
  ...{ filtered: true, read: ['*'], except: ['x509Certificates'], write: ['title', 'phoneNumbers'] },
  ...{ create: false, delete: false },
};

const documentOf = (kinds: Kinds): DocumentType => ({
  name: 'Access',
  schema: accessSchemaOf(kinds),
  naming: { one: 'access', many: 'access', namespace },
  example: {
    client: 'console',
    person: { issuer: 'https://login.example.com', subject: '8f0c3f6e' },
    expires: '2026-01-02T04:04:05.000Z',
    scopes: ['groups:read', 'users:read', 'users:write'],
    contract: '1.13',
    profile: {
      name: 'sales',
      ...Object.fromEntries(kinds.all.slice(0, 1).map(({ plural }) => [plural, exampleOfKind])),
    },
  },
});

const latest = contractVersions.at(-1);

/** In ms since 1970: RFC 3339 can't express later years. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const listOf = (members: MemberNames = []): readonly string[] => (members === '*' ? [members] : members);

function toProfile({ all }: Kinds, access: Access): object {
  const kinds = all.flatMap(({ name, plural }) => {
    const { where, named, mayCreate, mayDelete } = access.of(name);
    if (matchesNone(where)) return [];
    const { read, except = [], write } = named;
    const members = { read: listOf(read), except, write: listOf(write) };
    return [[plural, { filtered: !matchesAll(where), ...members, create: mayCreate, delete: mayDelete }]];
  });
  return { name: access.profile, ...Object.fromEntries(kinds) };
}

const toDocument = (
  kinds: Kinds,
  { id, person, expires, scopes: held, contract = latest, access }: Caller,
): object => ({
  ...toAuthor({ client: id, person }),
  ...(expires !== undefined && expires <= endOfTime && { expires: new Date(expires).toISOString() }),
  // The credentials may have scopes of other services.
  scopes: scopes.filter((scope) => held.has(scope)).sort(),
  contract,
  ...(access && { profile: toProfile(kinds, access) }),
});

export function accessApi(kinds: Kinds, formats: readonly [Format, ...Format[]]): DescribedApi {
  const document = documentOf(kinds);
  const send = unstoredResponder(formats, document);
  return {
    name: 'access',
    description: 'What the credentials of a request may do.',
    prefixes: ['/access'],
    access: 'credentials',
    formats,
    routes: [
      {
        method: 'GET',
        path: '/access',
        id: 'readAccess',
        isNegotiated: true,
        handle: (ctx) => send(ctx, toDocument(kinds, assertPresent(ctx.state.principal))),
        summary: 'Read what your credentials may do',
        description: 'Takes any credentials that are valid, whatever their scopes.',
        answers: [{ status: 200, description: 'What they may do.', shows: document }],
        problems: ['not-acceptable'],
      },
    ],
  };
}

/** Published beside the OpenAPI document. */
export const accessSchema = (kinds: Kinds): StaticDocument =>
  xsdDocument('access', 'What credentials may do, as XML Schema', {
    of: documentOf(kinds),
    about: ['The document of GET /access.', growth],
  });
