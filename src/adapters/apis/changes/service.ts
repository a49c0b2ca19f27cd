/** What feeds and histories share: the codecs, and the printing of a page. */

import type { Entry } from '../../../domain/changes/change.ts';
import { printCursor } from '../../../domain/changes/log.ts';
import type { Kinds } from '../../../domain/kinds.ts';
import type { ChangePage, Changes, FeedQuery, HistoryQuery } from '../../../domain/use-cases/feed.ts';
import type { ChangeWatcher } from '../../change-watcher/change-watcher.ts';
import type { Codec, Format } from '../../formats/port/format.ts';
import { assertPresent, type Context, clientOf } from '../../http/pipeline/context.ts';
import { respondUnstored } from '../../http/pipeline/respond.ts';
import { eventLoop } from '../../scheduler/event-loop.ts';
import { Slices } from '../../scheduler/slices.ts';
import { Slots } from '../../scheduler/slots.ts';
import { type ChangeDocuments, changeDocuments, toChangeDocument } from './documents.ts';

interface ChangesParts {
  readonly kinds: Kinds;
  readonly changes: Changes;
  readonly watcher: ChangeWatcher;
  readonly formats: readonly [Format, ...Format[]];
}

export interface ChangesService extends ChangesParts {
  readonly documents: ChangeDocuments;
  readonly codec: (format: Format) => Codec<object>;
  /** Takes turns with other clients. @throws as `Changes.feed` */
  readonly readFeed: (ctx: Context, query: FeedQuery) => Promise<ChangePage>;
  /** Takes turns with other clients. @throws as `Changes.history` */
  readonly readHistory: (ctx: Context, query: HistoryQuery) => Promise<ChangePage>;
  /** The part of new changes that the client sees. @throws as `Changes.feed` */
  readonly viewNews: (ctx: Context, news: ChangePage, query: FeedQuery) => Promise<ChangePage>;
  /** A server-sent event. Each entry is printed once, and all requests that follow the changes share the text. */
  readonly printEvent: (entry: Entry, line: string) => string;
}

/** One read for each client at a time: the driver parses a response when it arrives, even in the turn of another client. */
const reading = new Slots(2);

/** Runs a read of the log in the client's turn. The caller continues in another turn. */
const stepsOf = (ctx: Context) => {
  const client = clientOf(ctx);
  return async <T>(read: () => Promise<T>): Promise<T> => {
    const found = await reading.run(client, async () => {
      await eventLoop.next(client);
      return await read();
    });
    await eventLoop.next(client);
    return found;
  };
};

export function changesService(parts: ChangesParts): ChangesService {
  const documents = changeDocuments(parts.kinds);
  const { schema, naming } = documents.feed;
  const codecs = new Map(
    parts.formats.map((format) => [format, format.codec<object>(schema, naming)] as const),
  );
  const events = new WeakMap<Entry, string>();
  return {
    ...parts,
    documents,
    codec: (format) => assertPresent(codecs.get(format)),
    readFeed: (ctx, query) => parts.changes.feed(assertPresent(ctx.state.principal), query, stepsOf(ctx)),
    readHistory: (ctx, query) =>
      parts.changes.history(assertPresent(ctx.state.principal), query, stepsOf(ctx)),
    viewNews: (ctx, news, query) =>
      parts.changes.view(assertPresent(ctx.state.principal), news, query, stepsOf(ctx)),
    printEvent(entry, line) {
      const known = events.get(entry);
      if (known !== undefined) return known;
      const text = `id: ${printCursor({ ...entry, line })}\ndata: ${JSON.stringify(toChangeDocument(entry, line))}\n\n`;
      events.set(entry, text);
      return text;
    },
  };
}

/** The number of changes that are printed in one turn. */
const printedAtOnce = 20;

/** Pauses between slices, since a page may have a thousand changes. */
async function printPage(ctx: Context, { list }: Codec<object>, page: ChangePage): Promise<string> {
  const { entries, end, more } = page;
  const slices = new Slices(clientOf(ctx));
  let text = list.open({ next: printCursor(end), more });
  for (let at = 0; at < entries.length; at += printedAtOnce) {
    const some = entries.slice(at, at + printedAtOnce).map((entry) => toChangeDocument(entry, end.line));
    text += (at === 0 ? '' : list.between) + some.map(list.item).join(list.between);
    await slices.pause();
  }
  return text + list.close;
}

/** Prints and sends a page. */
export async function sendPage(ctx: Context, { codec }: ChangesService, page: ChangePage): Promise<void> {
  const { format } = assertPresent(ctx.state.choice);
  await respondUnstored(ctx, await printPage(ctx, codec(format), page));
}
