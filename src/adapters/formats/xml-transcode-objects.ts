/** Objects, lists and maps on their way from JSON to XML. Functions take the place where they begin to write, and return the end. */
import { type TranscodeCursor, unexpected } from './xml-transcode-cursor.ts';
import type { ListPlan, MapPlan, Member, ObjectPlan, Plan, Tag } from './xml-transcode-plan.ts';

const [quote, comma, colon, greater] = [0x22, 0x2c, 0x3a, 0x3e];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

function print(cursor: TranscodeCursor, plan: Plan, start: number): number {
  if (plan.is === 'value') return cursor.putValue(start);
  if (plan.is === 'object') return printObject(cursor, plan, start);
  return plan.is === 'list' ? printList(cursor, plan, start) : printMap(cursor, plan, start);
}

/** @param next the member that is looked at first */
function findMember(cursor: TranscodeCursor, members: readonly Member[], next: number): number {
  const first = cursor.word;
  for (let index = next; index < members.length; index += 1) {
    const key = members[index]?.key;
    if (key !== undefined && key.first === first && cursor.isAt(key)) return index;
  }
  if (next === 0) throw unexpected;
  return findMember(cursor, members, 0);
}

export function printObject(cursor: TranscodeCursor, plan: ObjectPlan, start: number): number {
  cursor.take(openBrace);
  if (cursor.skip(closeBrace)) return start;
  const { members, found, starts } = plan;
  let end = start;
  let next = 0;
  let count = 0;
  let isInOrder = true;
  do {
    const index = findMember(cursor, members, next);
    const member = members[index];
    if (member === undefined || count === members.length) throw unexpected;
    if (index < next) isInOrder = false;
    next = index + 1;
    found[count] = index;
    starts[count] = end;
    count += 1;
    cursor.at += member.key.length;
    end = cursor.put(member.open, end);
    end = print(cursor, member.plan, end);
    end = cursor.put(member.close, end);
  } while (cursor.skip(comma));
  cursor.take(closeBrace);
  if (!isInOrder) sortMembers(cursor, plan, count, end);
  return end;
}

/**
 * Objects inside a user stand as their client sent them, and are printed in the schema's order: they are copied aside, and back member
 * by member.
 */
function sortMembers(
  { output }: TranscodeCursor,
  { members, found, starts }: ObjectPlan,
  count: number,
  end: number,
): void {
  const start = starts[0] ?? 0;
  const aside = end - start;
  if (end + aside > output.length) throw unexpected;
  output.copyWithin(end, start, end);
  starts[count] = end;
  let to = start;
  let sorted = 0;
  for (let index = 0; index < members.length; index += 1) {
    let at = 0;
    while (at < count && found[at] !== index) at += 1;
    if (at === count) continue;
    const from = starts[at] ?? 0;
    const next = starts[at + 1] ?? 0;
    output.copyWithin(to, from + aside, next + aside);
    to += next - from;
    sorted += 1;
  }
  // One stands there twice, and JSON.parse knows which counts.
  if (sorted < count) throw unexpected;
}

function printList(cursor: TranscodeCursor, { open, close, of }: ListPlan, start: number): number {
  cursor.take(openBracket);
  if (cursor.skip(closeBracket)) return start;
  let end = start;
  do {
    end = cursor.put(open, end);
    end = print(cursor, of, end);
    end = cursor.put(close, end);
  } while (cursor.skip(comma));
  cursor.take(closeBracket);
  return end;
}

function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) set[byte] = 1;
  return set;
}

/** JSON.parse puts names that are numbers first, so none begins with a digit here. */
const nameStart = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_');
const namePart = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-');

/** Without the quotes. Two of the same hash may be the same, and JSON.parse knows which counts. */
function printName(cursor: TranscodeCursor, hashes: Int32Array, count: number, start: number): number {
  const { input, output } = cursor;
  let at = cursor.at;
  let end = start;
  let hash = 0;
  if (nameStart[input[at] ?? 0] === 0 || count === hashes.length) throw unexpected;
  for (let byte = input[at] ?? 0; namePart[byte] === 1; byte = input[at] ?? 0) {
    output[end] = byte;
    hash = (Math.imul(hash, 31) + byte) | 0;
    at += 1;
    end += 1;
  }
  for (let index = 0; index < count; index += 1) if (hashes[index] === hash) throw unexpected;
  hashes[count] = hash;
  cursor.at = at;
  return end;
}

function printMap(cursor: TranscodeCursor, { open, close, of, hashes }: MapPlan, start: number): number {
  cursor.take(openBrace);
  if (cursor.skip(closeBrace)) return start;
  let end = start;
  let count = 0;
  do {
    end = cursor.put(open, end);
    cursor.take(quote);
    end = printName(cursor, hashes, count, end);
    count += 1;
    cursor.take(quote);
    cursor.take(colon);
    cursor.output[end] = quote;
    cursor.output[end + 1] = greater;
    end = print(cursor, of, end + 2);
    end = cursor.put(close, end);
  } while (cursor.skip(comma));
  cursor.take(closeBrace);
  return end;
}

/**
 * @param length of the input: `count` documents with a line feed between them, which none has inside
 * @returns how many bytes were written
 * @throws whatever it is when the input isn't that, or the output is too small
 */
export function printDocuments(
  cursor: TranscodeCursor,
  plan: ObjectPlan,
  { open, close }: { readonly open: Tag; readonly close: Tag },
  length: number,
  count: number,
): number {
  cursor.at = 0;
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    if (at > 0) cursor.take(0x0a);
    end = cursor.put(open, end);
    end = printObject(cursor, plan, end);
    end = cursor.put(close, end);
  }
  if (cursor.at !== length) throw unexpected;
  return end;
}
