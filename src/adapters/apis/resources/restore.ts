/** `POST /users/{id}/restore` of each kind. */
import { scopeOf } from '../../../domain/scopes.ts';
import { capitalize } from '../../contracts/names.ts';
import type { DescribedRoute, Parameter } from '../../http/pipeline/api.ts';
import { assertPresent, type Context } from '../../http/pipeline/context.ts';
import { invalidParameter, singleOf } from '../../http/pipeline/query.ts';
import type { DescribedProblemTypes } from '../../http/problems/problem-types.ts';
import { pathOf } from './definition.ts';
import { answerWrite, idInPath } from './handlers.ts';
import { changeAnswers, idParameter, partsOf } from './routes.ts';
import type { ResourceService } from './service.ts';

/** The page of the problem serves every kind. */
export const restoreProblems = {
  'not-restorable': {
    status: 404,
    title: 'It cannot be restored',
    meaning:
      'The change log lacks what a restoration takes: the resource was never deleted, its deletion is no longer kept, its values were erased, or its memberships were not kept. Nothing was changed; `detail` has the reason.',
    remedy:
      'If only the memberships are missing, send memberships=none. Otherwise create the resource again, with the same id if others refer to it.',
  },
} as const satisfies DescribedProblemTypes;

const memberships: Parameter = {
  description: 'Whether the memberships are restored: `none` leaves them out. It is the only value.',
  schema: { type: 'string', enum: ['none'] },
};

async function restore(ctx: Context, service: ResourceService): Promise<void> {
  const wanted = singleOf(ctx.state.query, 'memberships');
  if (wanted !== undefined && wanted !== 'none')
    throw invalidParameter('memberships must be none; leave it out where memberships shall be restored.');
  const id = idInPath(ctx, service.definition.kind.name);
  const stored = await service.resources.restore(assertPresent(ctx.state.principal), id, wanted === 'none');
  return answerWrite(ctx, service, stored, 200);
}

export function restoreRoute(service: ResourceService): DescribedRoute {
  const { definition } = service;
  const { name, takenCodes } = definition.kind;
  return {
    method: 'POST',
    path: `${pathOf(definition)}/:id/restore`,
    params: { id: idParameter },
    id: `restore${capitalize(name)}`,
    scope: scopeOf(name, 'remove'),
    isNegotiated: true,
    handle: (ctx) => restore(ctx, service),
    summary: `Restore a deleted ${name}`,
    description: `Brings the ${name} back as it was when it was deleted: with its id, \`meta.created\`, a new version, and its memberships, but for those of resources that are gone. The change log has to have the deletion: \`GET /history?type=${name}.deleted\` finds it. Takes the scope \`history:read\`, too.`,
    query: { memberships },
    headers: ['Prefer'],
    answers: changeAnswers(name, definition.document, partsOf(definition).written),
    problems: [
      ...['not-acceptable', `${name}-not-found`, 'not-restorable', 'not-logged'],
      ...['id-taken', ...takenCodes, 'outcome-unknown'],
    ],
  };
}
