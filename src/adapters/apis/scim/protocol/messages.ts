/** SCIM messages: URNs, media types, reading bodies and sending documents. */
import * as Type from 'typebox';
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { suggest } from '../../../../domain/validation/suggest.ts';
import { json, jsonCodec } from '../../../formats/json/json.ts';
import type { Codec, Format } from '../../../formats/port/format.ts';
import { mediaTypeOf } from '../../../http/headers/negotiation.ts';
import { codingFor } from '../../../http/pipeline/codings.ts';
import { assertPresent, type Context, clientOf, type ReceivedBody } from '../../../http/pipeline/context.ts';
import { respond } from '../../../http/pipeline/respond.ts';
import { Slices } from '../../../scheduler/slices.ts';
import { Slots } from '../../../scheduler/slots.ts';
import { mapAll, ScimError } from '../resource/errors.ts';
import { isNamed } from '../resource/fold-name.ts';
import { invalidSyntax, showName } from '../resource/read-value.ts';

/** RFC 7644 §8.2, and RFC 7643 §5–7 for the discovery documents. */
const message = (name: string): string => `urn:ietf:params:scim:api:messages:2.0:${name}`;

export const listUrn = message('ListResponse');
export const searchUrn = message('SearchRequest');
export const patchUrn = message('PatchOp');
export const bulkUrn = message('BulkRequest');
export const bulkResponseUrn = message('BulkResponse');
export const errorUrn = message('Error');

const schema = (name: string): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`;

export const configUrn = schema('ServiceProviderConfig');
export const resourceTypeUrn = schema('ResourceType');
export const schemaUrn = schema('Schema');

/** Some clients request plain JSON instead (RFC 7644 §8.1). */
const type = 'application/scim+json';

export const scimJson: Format = {
  ...json,
  name: 'scim',
  mediaTypes: [
    { type, contentType: type },
    { type: 'application/json', contentType: 'application/json' },
  ],
  patchTypes: [],
  problemType: type,
};

/** The schema is empty, since no member of a message is read-only. @param maxValues in one message */
export const messageCodec = (maxValues?: number): Codec<unknown> =>
  jsonCodec(Type.Object({}), { one: 'message', many: 'messages', namespace: '' }, maxValues);

const usualCodec = messageCodec();

/**
 * Reads a body as a plain value, in steps so that other requests are served in between.
 * @param codec sets the maximum number of values
 * @throws HttpProblem 503; UnreadableError; ScimError for a duplicate member
 */
export async function parseMessage(
  ctx: Context,
  { bytes, charset }: ReceivedBody,
  codec: Pick<Codec<unknown>, 'read'> = usualCodec,
): Promise<unknown> {
  const { value, violations } = await new Slices(clientOf(ctx)).run(codec.read(bytes, charset));
  const [first] = violations;
  if (first !== undefined) throw new ScimError('invalidSyntax', `${first.pointer} ${first.detail}.`);
  return value;
}

/**
 * The members of a message by their standard names; clients use any case.
 * @param place in messages, such as `Operations[0]`
 * @throws ScimError for anything but an object, and for unknown and repeated members
 */
export function readMembers<Name extends string>(
  message: unknown,
  names: readonly Name[],
  place = 'The body',
): Map<Name, unknown> {
  if (!isObject(message)) throw invalidSyntax(`${place} must be an object.`);
  const members = new Map<Name, unknown>();
  mapAll(Object.entries(message), ([given, value]) => {
    const name = names.find((one) => isNamed(given, one));
    if (name === undefined) {
      const hint = suggest(given, names) || ` (there are ${names.join(', ')})`;
      throw invalidSyntax(`${place} has no member ${showName(given)}${hint}.`);
    }
    if (members.has(name)) throw invalidSyntax(`${name} occurs more than once.`);
    members.set(name, value);
  });
  return members;
}

/** In bytes after decoding, unless a route takes more. */
export const maxMessageBytes = 256 * 1024;

/** Requests with large bodies at a time, at most half of them by one client: the values may take ten times the memory of their text. Others wait. */
const slots = new Slots(4);

/** @param use isn't called if the client has disconnected @throws as `use` */
export async function useLargeBody(ctx: Context, use: () => Promise<void>): Promise<void> {
  await slots.run(clientOf(ctx), async () => {
    if (!ctx.res.closed) await use();
  });
}

/** @param codec sets the maximum number of values @throws HttpProblem 415, 413, 503, 400; as `parseMessage`, and as `use` */
export async function withMessage(
  ctx: Context,
  use: (message: unknown) => Promise<void>,
  codec?: Pick<Codec<unknown>, 'read'>,
): Promise<void> {
  const body = await ctx.state.mounted.readBody(ctx);
  const run = async () => use(await parseMessage(ctx, body, codec));
  await (body.bytes.length > maxMessageBytes ? useLargeBody(ctx, run) : run());
}

interface SentDocument {
  readonly status: number;
  readonly content: string;
  readonly fields: readonly string[];
  /** The entity tag is also `meta.version` and would differ for each content coding, so the document is sent unencoded. */
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
