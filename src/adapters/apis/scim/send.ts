/** Sends documents of this API. */
import { codingFor } from '../../http/codings.ts';
import { assertPresent, type Context } from '../../http/context.ts';
import { mediaTypeOf } from '../../http/negotiation.ts';
import { respond } from '../../http/respond.ts';

export interface SentDocument {
  readonly status: number;
  readonly content: string;
  readonly fields: readonly string[];
  /** Its tag is also `meta.version`, and would be another one for each coding: so it goes as it is. */
  readonly isTagged?: boolean;
}

export async function sendDocument(
  ctx: Context,
  { status, content, fields, isTagged = false }: SentDocument,
): Promise<void> {
  const { contentType } = assertPresent(mediaTypeOf(assertPresent(ctx.state.choice)));
  const coding = isTagged ? 'identity' : codingFor(ctx, content.length);
  await respond(ctx, { status, fields: [...fields, 'Content-Type', contentType], content, coding });
}
