/** `/history`, an API; and `/users/{id}/history` of each kind, a route for the API of the kind. */
import type { HistoryQuery } from '../../../domain/use-cases/feed.ts';
import { capitalize } from '../../contracts/names.ts';
import type { DescribedApi } from '../../http/pipeline/api.ts';
import type { Context } from '../../http/pipeline/context.ts';
import { pathOf, type ResourceDefinition } from '../resources/definition.ts';
import { idInPath } from '../resources/handlers.ts';
import { inListSlot } from '../resources/list.ts';
import { idParameter } from '../resources/routes.ts';
import { historyParameters, parseHistoryQuery, wholeHistoryParameters } from './parameters.ts';
import { changeProblems } from './problems.ts';
import { type ChangesService, sendPage } from './service.ts';

const { 'cursor-expired': _, ...problems } = changeProblems;

/** What both routes have in common. */
const historyRoute = ({ documents }: ChangesService) =>
  ({
    method: 'GET',
    scope: 'history:read',
    isNegotiated: true,
    answers: [{ status: 200, description: 'The changes.', shows: documents.history }],
    problems: ['not-acceptable', ...Object.keys(problems)],
  }) as const satisfies Partial<DescribedApi['routes'][number]>;

function sendHistory(ctx: Context, service: ChangesService, query: HistoryQuery): Promise<void> {
  return inListSlot(ctx, async () => {
    const page = await service.readHistory(ctx, query);
    // The log line records whose history was read.
    const shown = page.entries.map(({ id }) => query.of?.id ?? id);
    ctx.state.resources = [...new Set(shown)];
    await sendPage(ctx, service, page);
  });
}

/** `GET /history` */
export function historyApi(service: ChangesService): DescribedApi {
  const { types } = service.documents;
  const query = wholeHistoryParameters(types);
  return {
    name: 'history',
    description: 'What was changed, with old and new values.',
    prefixes: ['/history'],
    access: 'credentials',
    formats: service.formats,
    problems,
    routes: [
      {
        ...historyRoute(service),
        path: '/history',
        id: 'readHistory',
        handle: (ctx) => sendHistory(ctx, service, parseHistoryQuery(ctx.state.query, types)),
        summary: 'Read the history of all users and groups',
        description:
          'All changes, the newest first, with old and new values. Filters add up; a parameter that occurs several times takes any of its values. A page may have fewer changes than `limit`, or none, although `more` is true: one request examines a limited number of changes, and `after` with the `next` of the page goes on.',
        query,
      },
    ],
  };
}

/** The API with the histories of its resources. */
export function withHistory(
  api: DescribedApi,
  definition: ResourceDefinition,
  service: ChangesService,
): DescribedApi {
  const { name } = definition.kind;
  const { relation } = service.kinds;
  const ofGroups =
    relation.members === definition.kind
      ? ` Beside them are the changes of members, and deletions, of each ${relation.owners.name} that concern the ${name}; some appear seconds later.`
      : '';
  const { types } = service.documents;
  const route = historyRoute(service);
  return {
    ...api,
    problems: { ...api.problems, ...problems },
    routes: [
      ...api.routes,
      {
        ...route,
        path: `${pathOf(definition)}/:id/history`,
        params: { id: idParameter },
        id: `read${capitalize(name)}History`,
        handle(ctx) {
          const query = parseHistoryQuery(ctx.state.query, types);
          return sendHistory(ctx, service, { ...query, of: { kind: name, id: idInPath(ctx, name) } });
        },
        summary: `Read the history of a ${name}`,
        description: `The changes of the ${name}, the newest first, with old and new values; also after its deletion. Changes that are no longer kept are missing.${ofGroups}`,
        query: historyParameters,
        problems: [...route.problems, `${name}-not-found`],
      },
    ],
  };
}
