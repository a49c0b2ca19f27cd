/**
 * `/changes`: what was changed, when and by whom, for programs that follow the directory; and histories, of all resources and of single ones.
 *
 * A request comes to the route below or to that of `history.ts`. `parameters.ts` reads the query, a use case (domain/use-cases/feed.ts) reads
 * the log, and `service.ts` prints the page by the schema of `documents.ts`.
 */
import type { ChangePage } from '../../../domain/use-cases/feed.ts';
import { growth, jsonSchemaDocument, xsdDocument } from '../../contracts/schema-documents.ts';
import type { DescribedApi } from '../../http/pipeline/api.ts';
import type { Context } from '../../http/pipeline/context.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { namespace } from '../resources/definition.ts';
import { inListSlot } from '../resources/list.ts';
import { eventStream, streamEvents } from './events.ts';
import { awaitPage } from './follow.ts';
import { feedParameters, parseFeedQuery, parseStreamQuery } from './parameters.ts';
import { changeProblems } from './problems.ts';
import { type ChangesService, sendPage } from './service.ts';

/** Answers with a page; with `wait`, as soon as the page has a change. */
async function sendFeed(ctx: Context, service: ChangesService): Promise<void> {
  const { wait, ...query } = parseFeedQuery(ctx.state.query, service.documents.types);
  const { since } = query;
  const seconds = ctx.method === 'HEAD' ? undefined : wait;
  const isAtEnd =
    seconds !== undefined &&
    typeof since !== 'string' &&
    since.access === ctx.state.principal?.access?.mark &&
    service.watcher.isEnd(since);
  let found: ChangePage | undefined = isAtEnd ? { entries: [], end: since, more: false } : undefined;
  if (!isAtEnd)
    await inListSlot(ctx, async () => {
      const page = await service.readFeed(ctx, query);
      if (seconds !== undefined && page.entries.length === 0 && !page.more) found = page;
      else await sendPage(ctx, service, page);
    });
  if (found !== undefined && seconds !== undefined)
    await sendPage(ctx, service, await awaitPage(ctx, service, query, found, seconds));
}

function readFeed(ctx: Context, service: ChangesService): Promise<void> {
  if (ctx.state.choice !== undefined) return sendFeed(ctx, service);
  const lastEvent = ctx.get('Last-Event-ID');
  return streamEvents(ctx, service, parseStreamQuery(ctx.state.query, service.documents.types, lastEvent));
}

export const changesApi = (service: ChangesService): DescribedApi => ({
  name: 'changes',
  description: 'What was changed, when and by whom, in the order of the writes.',
  prefixes: ['/changes'],
  access: 'credentials',
  formats: service.formats,
  problems: changeProblems,
  onClosing: () => service.watcher.stop(),
  routes: [
    {
      method: 'GET',
      path: '/changes',
      id: 'listChanges',
      scope: 'changes:read',
      isNegotiated: true,
      alsoServes: eventStream,
      handle: (ctx) => readFeed(ctx, service),
      summary: 'Follow the changes',
      description: [
        'The changes behind `since`, in the order of the writes, at least once each, deletions included. `next` of a page is `since` of the next one, also when the page has no changes. To have the whole directory, take `next` of `since=now`, list all users and groups, and follow the changes from there.',
        'Filters add up; a parameter that occurs several times takes any of its values. A page may have fewer changes than `limit` although `more` is true: one request examines a limited number of changes, and `next` moves past those that the filters leave out. 410 means that changes are missing: list again.',
        '`wait` holds a request back until there is a change. With `Accept: text/event-stream` the changes come as server-sent events, each as JSON, with its cursor as the id; every 15 seconds an event has an id alone. `Last-Event-ID` goes before `since`. A stream that cannot go on ends with an event `problem`, whose data is a problem. Both end when the credentials do.',
      ].join('\n\n'),
      query: feedParameters(service.documents.types),
      headers: ['Last-Event-ID'],
      answers: [
        {
          status: 200,
          description: 'The changes.',
          shows: service.documents.feed,
          streams: eventStream,
          optionalHeaders: ['X-Accel-Buffering'],
        },
      ],
      problems: ['not-acceptable', ...Object.keys(changeProblems)],
    },
  ],
});

const about = `The documents of GET /changes, and of histories, whose changes have label, before and after. ${growth}`;

/** Published beside the OpenAPI document. */
export const changeSchemas = (
  api: DescribedApi,
  { documents }: ChangesService,
): readonly StaticDocument[] => [
  jsonSchemaDocument('changes', 'Changes as JSON Schema', {
    api,
    $id: `${namespace}:changes`,
    title: 'Changes',
    description: 'A page of changes. $defs has more: Change, one of them; Problem, an error.',
    of: documents.feed,
  }),
  xsdDocument('changes', 'Changes as XML Schema', { of: documents.feed, about: [about] }),
];
