/** `/users/{id}/history`, and that of any other kind: a route for the API of the kind. */
import { capitalize } from '../../contracts/names.ts';
import type { DescribedApi } from '../../http/core/api.ts';
import { assertPresent } from '../../http/core/context.ts';
import { pathOf, type ResourceDefinition } from '../resources/definition.ts';
import { idOf } from '../resources/handlers.ts';
import { idParameter } from '../resources/routes.ts';
import { historyParameters, parseHistoryQuery } from './parameters.ts';
import { changeProblems } from './problems.ts';
import { type ChangesService, inListSlot, sendPage } from './service.ts';

/** The API with the histories of its resources. */
export function withHistory(
  api: DescribedApi,
  definition: ResourceDefinition,
  service: ChangesService,
): DescribedApi {
  const { name } = definition.kind;
  const { 'cursor-expired': _, ...problems } = changeProblems;
  return {
    ...api,
    problems: { ...api.problems, ...problems },
    routes: [
      ...api.routes,
      {
        method: 'GET',
        path: `${pathOf(definition)}/:id/history`,
        params: { id: idParameter },
        id: `read${capitalize(name)}History`,
        scope: 'history:read',
        isNegotiated: true,
        handle(ctx) {
          const { limit, after } = parseHistoryQuery(ctx.querystring);
          const [id, principal] = [idOf(ctx, name), assertPresent(ctx.state.principal)];
          // Who has read whose.
          ctx.state.resources = [id];
          return inListSlot(ctx, async () =>
            sendPage(ctx, service, await service.changes.history(principal, name, id, limit, after)),
          );
        },
        summary: `Read the history of a ${name}`,
        description: `The changes of the ${name}, the newest first, with old and new values; also after its deletion. Changes that are no longer kept are missing.`,
        query: historyParameters,
        headers: [],
        answers: [
          { status: 200, description: 'The changes.', shows: service.documents.history, headers: [] },
        ],
        problems: ['invalid-parameter', 'not-acceptable', `${name}-not-found`, ...Object.keys(problems)],
      },
    ],
  };
}
