/**
 * The file of receivers (the setting `webhooks.file`): where and how the service sends changes. Only the operator can write it, so no client
 * of an API can make the service send anything anywhere.
 */
import { hash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import JSON5 from 'json5';
import * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import { closed, explain } from '../../domain/validation/explain.ts';
import { anyCaseUuidPattern, isObject } from '../../domain/validation/plain-values.ts';
import { suggest } from '../../domain/validation/suggest.ts';
import { formats } from '../formats/index.ts';
import { messageOf } from '../system/errors.ts';
import { readRegularFile } from '../system/files.ts';
import { assertUrl } from './addresses.ts';

export interface Receiver {
  /** Its position in the log belongs to this name. */
  readonly id: string;
  readonly url: string;
  /** One, or two while one is rotated: 24 to 64 bytes each. */
  readonly secrets: readonly Buffer[];
  /** Undefined: all. */
  readonly types: ReadonlySet<string> | undefined;
  /** Ids of groups: only their changes, and those of their members. Undefined: all. */
  readonly filter: readonly string[] | undefined;
  /** Ids of clients, or subjects of persons, whose changes are left out. */
  readonly notBy: ReadonlySet<string> | undefined;
  /** A name of a format. */
  readonly format: string;
  /** `thin`: without the values before and after. */
  readonly content: 'thin' | 'values';
  readonly headers: Readonly<Record<string, string>>;
  /** In ms. */
  readonly timeout: number;
  /** Messages that are sent at once. */
  readonly concurrency: number;
  /** Where a new receiver begins: at changes to come, or at the oldest entry. */
  readonly start: 'now' | 'start';
  /** The name of an access profile: the receiver gets what a client with it would. */
  readonly profile?: string | undefined;
  /** Stands for the file's text and the files that it names: differs when one was changed. */
  readonly mark: string;
}

const oneOf = (values: readonly string[]): string => `be one of ${values.join(', ')}`;

const word = <T extends string[]>(...values: [...T]) =>
  Type.Optional(Type.Enum(values, { must: oneOf(values) }));

/** A text, or `{file}` with the path of one: `textOf` reads them, since messages of a union would name no reason. */
const text = Type.Unknown();

const groupId = Type.String({ pattern: anyCaseUuidPattern, must: 'be the id of a group' });

const InFile = closed({
  id: Type.String({ pattern: '^[a-z0-9-]{1,64}$', must: 'be up to 64 of a-z, 0-9 and -' }),
  url: Type.String(),
  secrets: Type.Array(text, { minItems: 1, maxItems: 2 }),
  types: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  filter: Type.Optional(Type.Array(groupId, { minItems: 1, maxItems: 50 })),
  notBy: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  format: word(...formats.map(({ name }) => name)),
  content: word('thin', 'values'),
  headers: Type.Optional(Type.Record(Type.String(), text, { maxProperties: 8 })),
  /** In seconds. */
  timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
  concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 16 })),
  start: word('now', 'start'),
  profile: Type.Optional(Type.String()),
});
type InFile = Type.Static<typeof InFile>;

const File = closed({ receivers: Type.Array(InFile, { maxItems: 1000 }) });
const fileCheck = Compile(File);

const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);
const membersOf = (given: unknown): Partial<Record<string, unknown>> => (isObject(given) ? { ...given } : {});

export interface ReceiverRules {
  /** Relative paths start from the folder of this file. */
  readonly file: string;
  /** All types of changes. */
  readonly types: readonly string[];
  /** @throws Error if there is no such profile */
  readonly assertProfile: (profile: string) => void;
}

/** Reads a text of the file, or of a file that it names. @throws Error */
type ReadText = (given: unknown) => string;

/** Notes an error as a mistake of the member. */
type Take = <T>(member: string, read: () => T) => T | undefined;

/** Checks that a schema can't express; they run whether or not the schema is satisfied. */
function readParts(given: unknown, { types, assertProfile }: ReceiverRules, readText: ReadText, take: Take) {
  const { url, secrets, headers, profile, types: wanted } = membersOf(given);
  if (typeof url === 'string') take('url', () => assertUrl(url));
  if (typeof profile === 'string') take('profile', () => assertProfile(profile));
  for (const [at, type] of listOf(wanted).entries())
    take(`types.${at}`, () => {
      if (!types.includes(String(type)))
        throw new Error(`must ${oneOf(types)}${suggest(String(type), types)}`);
    });
  return {
    secrets: listOf(secrets).flatMap(
      (one, at) => take(`secrets.${at}`, () => readSecret(readText(one))) ?? [],
    ),
    headers: Object.fromEntries(
      Object.entries(membersOf(headers)).map(([name, one]) => [
        name,
        take(`headers.${name}`, () => readHeader(name, () => readText(one))) ?? '',
      ]),
    ),
  };
}

/** @throws Error with a line for each mistake, without secrets and without the file's name */
export function parseReceivers(content: string, rules: ReceiverRules): readonly Receiver[] {
  const document: unknown = JSON5.parse(content.replace(/^\ufeff/, ''));
  const given = listOf(membersOf(document).receivers);
  const ids = given.map((one) => membersOf(one).id);
  const isAgain = (at: number): boolean => typeof ids[at] === 'string' && ids.indexOf(ids[at]) !== at;
  const placeOf = (at: number): unknown => (typeof ids[at] !== 'string' || isAgain(at) ? at : ids[at]);
  const faults = new Set<string>();
  for (const { pointer, detail } of explain(fileCheck.Errors(document), File)) {
    const [, list = 'the file', at, ...rest] = pointer.split('/');
    faults.add(`${[list, ...(at === undefined ? [] : [placeOf(Number(at)), ...rest])].join('.')}: ${detail}`);
  }
  const fromFiles: string[] = [];
  const readText: ReadText = (one) => {
    const text = textOf(one, dirname(rules.file));
    if (text !== one) fromFiles.push(text);
    return text;
  };
  const parts = given.map((one, at) => {
    if (isAgain(at)) faults.add(`receivers.${at}.id: another receiver has it`);
    return readParts(one, rules, readText, (member, read) => {
      try {
        return read();
      } catch (error) {
        faults.add(`receivers.${placeOf(at)}.${member}: ${messageOf(error)}`);
        return undefined;
      }
    });
  });
  if (faults.size > 0) throw new Error([...faults].join('\n'));
  const mark = hash('sha256', [content, ...fromFiles].join('\n'), 'base64url');
  return given.map((one, at) => {
    const { types, notBy, filter, timeout = 15, ...receiver } = one as InFile;
    return {
      ...({ format: 'json', content: 'thin', concurrency: 4, start: 'now', ...receiver, mark } as const),
      types: types && new Set(types),
      notBy: notBy && new Set(notBy),
      filter: filter?.map((id) => id.toLowerCase()),
      timeout: timeout * 1000,
      ...(parts[at] ?? { secrets: [], headers: {} }),
    };
  });
}

/** Reads what stands in the file itself, or in a file beside it. @throws Error without the text */
function textOf(given: unknown, folder: string): string {
  if (typeof given === 'string') return given;
  const { file, ...others } = isObject(given) ? (given as Record<string, unknown>) : {};
  if (typeof file !== 'string' || Object.keys(others).length > 0)
    throw new Error('must be a text, or {file: "…"}');
  try {
    return readRegularFile(resolve(folder, file), { isPrivate: false }).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`);
  }
}

/** Standard Webhooks 1.0.0, symmetric. */
function readSecret(text: string): Buffer {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const secret = Buffer.from(base64 ?? '', 'base64');
  if (base64 === undefined || secret.length < 24 || secret.length > 64)
    throw new Error('must be whsec_ and base64 of 24 to 64 bytes (webhook secret makes one)');
  return secret;
}

/** Headers that belong to the message or to the connection. */
const ownHeaders =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|expect|upgrade|te|trailer|user-agent|webhook-.*)$/i;

function readHeader(name: string, read: () => string): string {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw new Error('is not the name of a header');
  if (ownHeaders.test(name)) throw new Error('is a header that the service sets');
  const value = read();
  if (!/^[\x20-\x7e]{0,4096}$/.test(value))
    throw new Error('must have up to 4096 printable ASCII characters');
  return value;
}
