/** The routes of one kind of resource, as data, for the kernel and for the published contract. */

import { scopeOf } from '../../../domain/scopes.ts';
import { anyCaseUuidPattern } from '../../../domain/validation/plain-values.ts';
import { capitalize } from '../../contracts/names.ts';
import type {
  Answer,
  DescribedRoute,
  DocumentType,
  Parameter,
  RequestHeader,
  ResponseHeader,
} from '../../http/pipeline/api.ts';
import { exampleId, pathOf, type ResourceDefinition } from './definition.ts';
import { listDescriptionOf, listParameterTypes } from './described-parameters.ts';
import { createResource, patchResource, readResource, removeResource, replaceResource } from './handlers.ts';
import { listResources } from './list.ts';
import type { ResourceService } from './service.ts';
import { hasDates } from './validators.ts';

export const idParameter = {
  description: 'The id; its letters may be in either case.',
  // A pattern, not a format: from `uuid`, generators create a type that differs from the string `id` in documents.
  schema: { type: 'string', pattern: anyCaseUuidPattern },
  example: exampleId,
};

const eraseParameter: Parameter = {
  description:
    'Erases, in the same step, all values of the resource in the change log. What was changed, when and by whom remains without values. A resource that was deleted before can be erased, too: 404 only if the log has no values of it either. `true` is the only value.',
  schema: { type: 'boolean', enum: [true] },
};

const bodyProblems: readonly string[] = [
  'unreadable-body',
  'not-acceptable',
  'body-too-large',
  'unsupported-media-type',
  'unsupported-content-coding',
];

const preferenceHeaders: readonly ResponseHeader[] = ['Preference-Applied'];

export const changeAnswers = (
  name: string,
  shows: DocumentType,
  headers: readonly ResponseHeader[],
): readonly Answer[] => [
  {
    status: 200,
    description: `The ${name} as it is now.`,
    shows,
    headers,
    optionalHeaders: preferenceHeaders,
  },
  {
    status: 204,
    description: 'Changed; no body because of `Prefer: return=minimal`.',
    headers: [...headers, ...preferenceHeaders],
  },
];

/** The fields and problems that routes have in common. */
export function partsOf(definition: ResourceDefinition) {
  const { kind } = definition;
  const { name, takenCodes } = kind;
  const isDated = hasDates(kind);
  const validators: readonly ResponseHeader[] = isDated ? ['ETag', 'Last-Modified'] : ['ETag'];
  const locks: readonly RequestHeader[] = [
    'If-Match',
    'If-None-Match',
    ...(isDated ? (['If-Unmodified-Since'] as const) : []),
  ];
  const readConditions: readonly RequestHeader[] = isDated
    ? ['If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Unmodified-Since']
    : ['If-None-Match', 'If-Match'];
  return {
    validators,
    locks,
    readConditions,
    written: ['Content-Location', ...validators] as readonly ResponseHeader[],
    inputProblems: [...bodyProblems, `invalid-${name}`, ...takenCodes, 'outcome-unknown'],
    changeProblems: [`${name}-not-found`, 'precondition-failed', 'precondition-required'],
  };
}

export function resourceRoutes(service: ResourceService): readonly DescribedRoute[] {
  const { definition } = service;
  const { document, input } = definition;
  const { about } = definition.texts;
  const { name, plural: many } = definition.kind;
  const path = pathOf(definition);
  const single = `${path}/:id`;
  const { validators, locks, readConditions, written, inputProblems, changeProblems } = partsOf(definition);
  const params = { id: idParameter };
  /** What PUT and PATCH have in common. */
  const change = {
    ...{ path: single, params, isNegotiated: true, headers: [...locks, 'Content-Encoding', 'Prefer'] },
    answers: changeAnswers(name, document, written),
    problems: [...inputProblems, ...changeProblems],
  } satisfies Partial<DescribedRoute>;
  const Name = capitalize(name);
  return [
    {
      method: 'GET',
      path,
      id: `list${capitalize(many)}`,
      scope: scopeOf(name, 'list'),
      isNegotiated: true,
      handle: (ctx) => listResources(ctx, service),
      summary: `List ${many}`,
      description: listDescriptionOf(definition),
      query: listParameterTypes(definition),
      headers: ['If-None-Match', 'If-Match'],
      answers: [
        {
          status: 200,
          description: `The ${many}.`,
          shows: definition.list,
          optionalHeaders: ['ETag', 'Link'],
        },
        { status: 304, description: 'Nothing has changed.', headers: [], optionalHeaders: ['ETag', 'Link'] },
      ],
      problems: ['query-too-costly', 'not-acceptable', 'precondition-failed'],
    },
    {
      method: 'POST',
      path,
      id: `create${Name}`,
      scope: scopeOf(name, 'create'),
      isNegotiated: true,
      handle: (ctx) => createResource(ctx, service),
      summary: `Create a ${name}`,
      description: about.create,
      headers: ['If-Match', 'If-None-Match', 'Content-Encoding', 'Prefer'],
      takes: input,
      answers: [
        {
          status: 201,
          description: `The ${name} as it was created; no body with \`Prefer: return=minimal\`.`,
          shows: document,
          headers: ['Location', ...written],
          optionalHeaders: preferenceHeaders,
        },
      ],
      problems: [...inputProblems, 'id-taken', 'precondition-failed'],
    },
    {
      method: 'GET',
      path: single,
      params,
      id: `read${Name}`,
      scope: scopeOf(name, 'read'),
      isNegotiated: true,
      handle: (ctx) => readResource(ctx, service),
      summary: `Read a ${name}`,
      description: 'With its entity tag, which a later change takes in `If-Match`.',
      headers: readConditions,
      answers: [
        { status: 200, description: `The ${name}.`, shows: document, headers: validators },
        { status: 304, description: 'It has not changed.', headers: validators },
      ],
      problems: ['not-acceptable', `${name}-not-found`, 'precondition-failed'],
    },
    {
      ...change,
      method: 'PUT',
      id: `replace${Name}`,
      scope: scopeOf(name, 'replace'),
      handle: (ctx) => replaceResource(ctx, service),
      summary: `Replace a ${name}`,
      description: about.replace,
      takes: input,
    },
    {
      ...change,
      method: 'PATCH',
      id: `patch${Name}`,
      scope: scopeOf(name, 'patch'),
      handle: (ctx) => patchResource(ctx, service),
      summary: `Change a ${name} in part`,
      description: about.patch,
      takes: definition.patch,
    },
    {
      method: 'DELETE',
      path: single,
      params,
      id: `remove${Name}`,
      scope: scopeOf(name, 'remove'),
      isNegotiated: false,
      handle: (ctx) => removeResource(ctx, service),
      summary: `Delete a ${name}`,
      description: `Deletes the ${name}. It can be restored for as long as the change log has the deletion, unless its values are erased.`,
      query: { erase: eraseParameter },
      headers: locks,
      answers: [{ status: 204, description: 'Deleted.' }],
      problems: [...changeProblems, 'outcome-unknown'],
    },
  ];
}
