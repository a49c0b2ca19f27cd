/** What feeds and histories share: the codecs, and the printing of a page. */

import { printCursor } from '../../../domain/changes/log.ts';
import type { ChangePage, Changes } from '../../../domain/feed.ts';
import type { Kinds } from '../../../domain/kinds.ts';
import type { Codec, Format } from '../../formats/core/format.ts';
import { codingFor } from '../../http/core/codings.ts';
import { assertPresent, type Context, clientOf } from '../../http/core/context.ts';
import { respond } from '../../http/core/respond.ts';
import { mediaTypeOf } from '../../http/headers/negotiation.ts';
import { Slices } from '../../scheduler/slices.ts';
import { type ChangeDocuments, changeDocuments, toDocument } from './documents.ts';

export interface ChangesParts {
  readonly kinds: Kinds;
  readonly changes: Changes;
  readonly formats: readonly [Format, ...Format[]];
}

export interface ChangesService extends ChangesParts {
  readonly documents: ChangeDocuments;
  readonly codec: (format: Format) => Codec<object>;
}

export function changesService(parts: ChangesParts): ChangesService {
  const documents = changeDocuments(parts.kinds);
  const { schema, naming } = documents.feed;
  const codecs = new Map(
    parts.formats.map((format) => [format, format.codec<object>(schema, naming)] as const),
  );
  return { ...parts, documents, codec: (format) => assertPresent(codecs.get(format)) };
}

/** Changes that are printed before others get their turn. */
const printedAtOnce = 20;

/** In slices: a page may have a thousand changes. */
async function printPage(ctx: Context, { list }: Codec<object>, page: ChangePage): Promise<string> {
  const { entries, end, more } = page;
  const slices = new Slices(clientOf(ctx));
  let text = list.open({ next: printCursor(end), more });
  for (let at = 0; at < entries.length; at += printedAtOnce) {
    const some = entries.slice(at, at + printedAtOnce).map((entry) => toDocument(entry, end.line));
    text += (at === 0 ? '' : list.between) + some.map(list.item).join(list.between);
    await slices.pause();
  }
  return text + list.close;
}

/** Reads a page in its turn, and sends it. */
export async function sendPage(
  ctx: Context,
  { codec }: ChangesService,
  read: () => Promise<ChangePage>,
): Promise<void> {
  const choice = assertPresent(ctx.state.choice);
  const { responses } = assertPresent(ctx.state.load);
  responses.admitList();
  await responses.listSlots.run(clientOf(ctx), async () => {
    if (ctx.res.closed) return;
    const content = await printPage(ctx, codec(choice.format), await read());
    const { contentType } = assertPresent(mediaTypeOf(choice));
    const coding = codingFor(ctx, content.length);
    const fields = ['Cache-Control', 'no-store', 'Content-Type', contentType];
    await respond(ctx, { status: 200, fields, content, coding });
  });
}
