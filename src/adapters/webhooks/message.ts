/**
 * Messages after Standard Webhooks 1.0.0 (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): what is sent
 * for an entry of the change log, as a document in one of the formats, and how it is signed.
 */
import { createHmac } from 'node:crypto';
import * as Type from 'typebox';
import { type Entry, withoutNames } from '../../domain/changes/change.ts';
import { type Cursor, printCursor } from '../../domain/changes/log.ts';
import type { Kinds } from '../../domain/kinds.ts';
import { changeDocuments, toChangeDocument } from '../apis/changes/documents.ts';
import { findFormat, formats } from '../formats/index.ts';
import type { Codec } from '../formats/port/format.ts';
import { programVersion } from '../system/program.ts';
import type { Receiver } from './receivers.ts';

export interface Message {
  /** The same in each attempt. Without dots, which separate the parts of what is signed. */
  readonly id: string;
  readonly contentType: string;
  readonly body: string;
}

/** In bytes: Standard Webhooks asks for bodies below 20 kB. */
const maxBody = 20_000;

/** What is left out of a body that is too large, in this order. */
const leftOutFirst = [
  ['before', 'after', 'memberships'],
  ['added', 'removed', 'changed'],
] as const;

const idOf = ({ line, number, mark }: Cursor): string => `${number}_${line}_${mark}`;

/** Why a receiver must read the whole list again, by the problem of its cursor. */
export const gapReasons = { 'cursor-expired': 'expired', 'cursor-foreign': 'replaced' } as const;
export type GapReason = (typeof gapReasons)[keyof typeof gapReasons];

/** Makes messages for receivers. */
export class Messages {
  readonly #kinds: Kinds;
  readonly #codecs: ReadonlyMap<string, Codec<object>>;

  constructor(kinds: Kinds) {
    const { schema, feed } = changeDocuments(kinds);
    const data = Type.Partial(
      Type.Object({
        ...schema.properties,
        leftOut: Type.Array(Type.String(), { item: 'member' }),
        reason: Type.String(),
        from: Type.String(),
      }),
    );
    const event = Type.Object({ type: Type.String(), timestamp: Type.String({ format: 'date-time' }), data });
    const naming = { ...feed.naming, one: 'event', many: 'events' };
    this.#kinds = kinds;
    this.#codecs = new Map(formats.map((format) => [format.name, format.codec<object>(event, naming)]));
  }

  /** @param entry has values, unless the receiver wants none */
  ofEntry(receiver: Receiver, entry: Entry, line: string): Message {
    const data = toChangeDocument(receiver.content === 'thin' ? this.#thin(entry) : entry, line);
    const print = (shown: object) =>
      this.#message(receiver, idOf({ ...entry, line }), entry.type, entry.at, shown);
    let message = print(data);
    const leftOut: string[] = [];
    for (const names of leftOutFirst) {
      if (Buffer.byteLength(message.body) < maxBody) break;
      leftOut.push(...names.filter((name) => name in data));
      const rest = Object.entries(data).filter(([name]) => !leftOut.includes(name));
      message = print({ ...Object.fromEntries(rest), leftOut });
    }
    return message;
  }

  /** @param from where the receiver continues @param at tells gaps at one place apart: a profile may change twice between two writes */
  ofGap(receiver: Receiver, reason: GapReason, from: Cursor, at: number): Message {
    return this.#message(receiver, `gap_${idOf(from)}_${at}`, 'directory.gap', at, {
      reason,
      from: printCursor(from),
    });
  }

  ofTest(receiver: Receiver, at: number): Message {
    return this.#message(receiver, `test_${at}`, 'webhook.test', at, {});
  }

  #thin({ values, ...entry }: Entry): Entry {
    const kind = this.#kinds.all.find(({ name }) => entry.type.startsWith(`${name}.`));
    return kind ? withoutNames(kind, entry) : entry;
  }

  #message({ format }: Receiver, id: string, type: string, at: number, data: object): Message {
    const [{ contentType } = { contentType: '' }] = findFormat(format).mediaTypes;
    const body = this.#codecs.get(format)?.print({ type, timestamp: new Date(at).toISOString(), data }) ?? '';
    return { id, contentType, body };
  }
}

const userAgent = `user-management/${programVersion()}`;

/** @param now of the attempt, in ms since 1970 */
export function headersOf({ id, contentType, body }: Message, { secrets, headers }: Receiver, now: number) {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    ...headers,
    'Content-Type': contentType,
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
