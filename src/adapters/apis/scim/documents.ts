/** The messages that this API takes and shows (RFC 7644 §3, RFC 9865 §2), for its routes and its contract. */
import Type, { type TObject, type TSchema } from 'typebox';
import type { BodyType, DocumentType } from '../../http/api.ts';
import { maxBulkBytes, maxOperations } from './bulk-request.ts';
import { integers, maxCount, sortableAttributes } from './parameters.ts';
import { maxOperations as maxPatchOperations } from './patch/read-patch.ts';
import { maxNames, patterns } from './projection.ts';
import { bulkResponseUrn, bulkUrn, listUrn, patchUrn, searchUrn } from './urns.ts';
import { schemasOf, userResource } from './user-document.ts';

const optional = Type.Optional;
const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

/** @param members of the message, beside `schemas` */
export const message = (
  name: string,
  urn: string,
  members: Record<string, TSchema>,
  description: string,
) => ({
  name,
  schema: Type.Object({ schemas: schemasOf(urn), ...members }, { description }) as unknown as TObject,
  naming: { one: name, many: `${name}s`, namespace: urn },
});

const ada = userResource.example;

/** @param of what is listed */
export const listOf = ({ name, schema, example }: DocumentType): DocumentType => ({
  ...message(
    `${name}List`,
    listUrn,
    {
      totalResults: optional(count('How many match in all; by cursor, with the first page only.')),
      startIndex: optional(
        Type.Integer({ minimum: 1, description: 'Of the first one here, counted from one.' }),
      ),
      itemsPerPage: count('How many there are here.'),
      nextCursor: optional(text('Leads to the next page.')),
      previousCursor: optional(text('Leads to the page before.')),
      Resources: Type.Array(schema, { item: name }),
    },
    'A list (RFC 7644 §3.4.2, RFC 9865 §2).',
  ),
  example: { schemas: [listUrn], totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [example] },
});

const op = Type.String({
  pattern: '^(?:[Aa][Dd][Dd]|[Rr][Ee][Mm][Oo][Vv][Ee]|[Rr][Ee][Pp][Ll][Aa][Cc][Ee])$',
  description: 'add, remove or replace, in any case of letters.',
});

export const patchBody: BodyType = {
  ...message(
    'PatchOp',
    patchUrn,
    {
      Operations: Type.Array(
        Type.Object(
          {
            op,
            path: optional(text('Of an attribute; a filter in brackets chooses items of a list.')),
            value: optional(
              Type.Unknown({ description: 'Of the attribute; without a path, attributes by name.' }),
            ),
          },
          { title: 'PatchOperation' },
        ),
        { item: 'operation', minItems: 1, maxItems: maxPatchOperations },
      ),
    },
    'Operations, all of which are done or none (RFC 7644 §3.5.2).',
  ),
  kind: 'whole',
  ignores: [],
  example: { schemas: [patchUrn], Operations: [{ op: 'replace', path: 'active', value: false }] },
};

const names = (description: string) =>
  optional(
    Type.Array(Type.String({ pattern: patterns.name }), { item: 'name', maxItems: maxNames, description }),
  );

export const sortOrderPattern =
  '^(?:[Aa][Ss][Cc][Ee][Nn][Dd][Ii][Nn][Gg]|[Dd][Ee][Ss][Cc][Ee][Nn][Dd][Ii][Nn][Gg])$';

export const searchBody: BodyType = {
  ...message(
    'SearchRequest',
    searchUrn,
    {
      filter: optional(text('RFC 7644 §3.4.2.2.')),
      sortBy: optional(text(`One of ${sortableAttributes.join(', ')}.`)),
      sortOrder: optional(
        Type.String({
          pattern: sortOrderPattern,
          description: 'ascending or descending.',
        }),
      ),
      startIndex: optional(Type.Integer({ ...integers, description: 'Counted from one.' })),
      count: optional(Type.Integer({ ...integers, description: `At most ${maxCount} are given.` })),
      cursor: optional(text('Empty for the first page, then as an answer gave it.')),
      attributes: names('What is shown.'),
      excludedAttributes: names('What is left out.'),
    },
    'What GET /Users takes in its address (RFC 7644 §3.4.3).',
  ),
  kind: 'whole',
  ignores: [],
  example: { schemas: [searchUrn], filter: 'userName eq "ada@example.com"', count: 10 },
};

const bulkId = optional(text('Names a user that this request makes, for others to refer to.'));

export const bulkBody: BodyType = {
  ...message(
    'BulkRequest',
    bulkUrn,
    {
      failOnErrors: optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'After so many errors the rest is left undone.',
        }),
      ),
      Operations: Type.Array(
        Type.Object(
          {
            method: Type.String({
              pattern: '^(?:[Pp][Oo][Ss][Tt]|[Pp][Uu][Tt]|[Pp][Aa][Tt][Cc][Hh]|[Dd][Ee][Ll][Ee][Tt][Ee])$',
              description: 'POST, PUT, PATCH or DELETE.',
            }),
            path: text('/Users, or /Users/ and an id or bulkId:name.'),
            bulkId,
            version: optional(text('A tag that the user must still have.')),
            data: optional(Type.Unknown({ description: 'What would be the body.' })),
          },
          { title: 'BulkOperation' },
        ),
        { item: 'operation', minItems: 1, maxItems: maxOperations },
      ),
    },
    'Many writes in one request (RFC 7644 §3.7).',
  ),
  kind: 'whole',
  ignores: [],
  maxBytes: maxBulkBytes,
  example: {
    schemas: [bulkUrn],
    Operations: [{ method: 'POST', path: '/Users', bulkId: 'ada', data: { userName: 'ada@example.com' } }],
  },
};

export const bulkResponse: DocumentType = {
  ...message(
    'BulkResponse',
    bulkResponseUrn,
    {
      Operations: Type.Array(
        Type.Object(
          {
            method: text('As it was sent.'),
            bulkId,
            location: optional(Type.String({ format: 'uri-reference', description: 'Of the user.' })),
            version: optional(text('Its tag after the write.')),
            status: Type.String({ pattern: '^[1-5][0-9][0-9]$', description: 'The status code, as a text.' }),
            response: optional(Type.Unknown({ description: 'The error, where it failed.' })),
          },
          { title: 'BulkOutcome' },
        ),
        { item: 'operation' },
      ),
    },
    'The outcome of each operation, in their order.',
  ),
  example: {
    schemas: [bulkResponseUrn],
    Operations: [
      {
        method: 'POST',
        bulkId: 'ada',
        status: '201',
        location: (ada as { meta: { location: string } }).meta.location,
      },
    ],
  },
};
