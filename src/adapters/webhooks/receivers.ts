/**
 * The file of receivers (the setting `webhooks.file`): where the service sends what changes, and how. Only the operator can write it, so no client
 * of an API can make the service send anything anywhere.
 */
import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import JSON5 from 'json5';
import * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import { explain } from '../../domain/validation/explain.ts';
import { anyCaseUuidPattern, isObject } from '../../domain/validation/plain-values.ts';
import { suggest } from '../../domain/validation/suggest.ts';
import { formats } from '../formats/index.ts';
import { messageOf } from '../system/errors.ts';
import { describeUrlFault } from './addresses.ts';
import { readHeader, readSecret } from './receiver-texts.ts';

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
  /** Of the file's text: differs when the file was changed. */
  readonly mark: string;
}

const oneOf = <T extends string[]>(...values: [...T]) =>
  Type.Enum(values, { must: `be one of ${values.join(', ')}` });

/** Texts, or `{file}` with the path of one: `receiver-texts.ts` reads them, since messages of a union would name no reason. */
const texts = () => Type.Unknown();

const receiverMembers = (types: readonly string[]) => ({
  id: Type.String({ pattern: '^[a-z0-9-]{1,64}$', must: 'be up to 64 of a-z, 0-9 and -' }),
  url: Type.String(),
  secrets: Type.Array(texts(), { minItems: 1, maxItems: 2 }),
  types: Type.Optional(Type.Array(oneOf(...types), { minItems: 1 })),
  filter: Type.Optional(
    Type.Array(Type.String({ pattern: anyCaseUuidPattern, must: 'be the id of a group' }), {
      minItems: 1,
      maxItems: 50,
    }),
  ),
  notBy: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  format: Type.Optional(oneOf(...formats.map(({ name }) => name))),
  content: Type.Optional(oneOf('thin', 'values')),
  headers: Type.Optional(Type.Record(Type.String(), texts(), { maxProperties: 8 })),
  /** In seconds. */
  timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
  concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 16 })),
  start: Type.Optional(oneOf('now', 'start')),
  profile: Type.Optional(Type.String()),
});

const closed = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

type Given = Type.Static<Type.TObject<ReturnType<typeof receiverMembers>>>;

/** Collects a line for each mistake, by the place of the mistake in the file. */
class Faults {
  readonly lines = new Set<string>();
  #place = '';

  /** Of the receiver that is read. */
  within(place: string): void {
    this.#place = place;
  }

  /** @returns what `read` returns, or undefined after a mistake */
  try<T>(member: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.lines.add(`${this.#place}.${member}: ${messageOf(error)}`);
      return undefined;
    }
  }
}

const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);

/** `receivers.payroll`, or by its number if it has no id of its own. */
function placeOf(receivers: readonly unknown[], at: number): string {
  const id = idOf(receivers[at]);
  const isOwn = id !== undefined && receivers.findIndex((one) => idOf(one) === id) === at;
  return `receivers.${isOwn ? id : at}`;
}

function idOf(receiver: unknown): string | undefined {
  const { id } = isObject(receiver) ? (receiver as { id?: unknown }) : {};
  return typeof id === 'string' ? id : undefined;
}

/** Of each receiver, what a schema can't check; whatever the schema says of it. */
function readParts(
  receiver: Record<string, unknown>,
  folder: string,
  faults: Faults,
  assertProfile: (profile: string) => void,
) {
  const { url, secrets, headers, profile } = receiver;
  if (typeof profile === 'string') faults.try('profile', () => assertProfile(profile));
  if (typeof url === 'string')
    faults.try('url', () => {
      const fault = describeUrlFault(url);
      if (fault !== undefined) throw new Error(fault);
    });
  return {
    secrets: listOf(secrets).flatMap(
      (given, at) => faults.try(`secrets.${at}`, () => readSecret(given, folder)) ?? [],
    ),
    headers: Object.entries(isObject(headers) ? headers : {}).map(
      ([name, given]) =>
        [name, faults.try(`headers.${name}`, () => readHeader(name, given, folder))] as const,
    ),
  };
}

/** A suggestion for a name or a value that isn't known. */
function perhaps(
  detail: string,
  pointer: readonly string[],
  root: unknown,
  names: readonly string[],
): string {
  const [, values] = /be one of (.*)$/.exec(detail) ?? [];
  if (values === undefined)
    return detail === 'must not stand here' ? suggest(pointer.at(-1) ?? '', names) : '';
  const value = pointer.reduce<unknown>(
    (at, step) => (isObject(at) || Array.isArray(at) ? Reflect.get(at, step) : undefined),
    root,
  );
  return typeof value === 'string' ? suggest(value, values.split(', ')) : '';
}

function findSchemaFaults(document: unknown, types: readonly string[]): readonly string[] {
  const members = receiverMembers(types);
  const File = closed({ receivers: Type.Array(closed(members), { maxItems: 1000 }) });
  const check = Compile(File);
  if (check.Check(document)) return [];
  const { receivers } = isObject(document) ? (document as { receivers?: unknown }) : {};
  return explain(check.Errors(document), File).map(({ pointer, detail }) => {
    const steps = pointer.split('/').slice(1);
    const names = steps.length > 2 ? Object.keys(members) : ['receivers'];
    const [, at, ...rest] = steps;
    const place =
      at === undefined
        ? steps.join('.') || 'the file'
        : [placeOf(listOf(receivers), Number(at)), ...rest].join('.');
    return `${place}: ${detail}${perhaps(detail, steps, document, names)}`;
  });
}

/**
 * @param file whose folder is that of relative paths @param types all types of changes @param assertProfile throws an Error if there is no such profile
 * @throws Error with a line for each mistake, without secrets and without the file's name
 */
export function parseReceivers(
  text: string,
  file: string,
  types: readonly string[],
  assertProfile: (profile: string) => void,
): readonly Receiver[] {
  const document: unknown = JSON5.parse(text.replace(/^\ufeff/, ''));
  const given = listOf(isObject(document) ? (document as { receivers?: unknown }).receivers : undefined);
  const faults = new Faults();
  const parts = given.map((receiver, at) => {
    const place = placeOf(given, at);
    faults.within(place);
    const id = idOf(receiver);
    if (id !== undefined && place !== `receivers.${id}`)
      faults.lines.add(`${place}.id: another receiver has it`);
    return readParts(
      isObject(receiver) ? (receiver as Record<string, unknown>) : {},
      dirname(file),
      faults,
      assertProfile,
    );
  });
  const lines = [...findSchemaFaults(document, types), ...faults.lines];
  if (lines.length > 0) throw new Error(lines.join('\n'));
  const mark = hash('sha256', text, 'base64url');
  return given.map((one, at): Receiver => {
    const { types: wanted, notBy, filter, timeout = 15, ...receiver } = one as Given;
    const { secrets = [], headers = [] } = parts[at] ?? {};
    return {
      format: 'json',
      content: 'thin',
      concurrency: 4,
      start: 'now',
      ...{ ...receiver, mark },
      types: wanted && new Set(wanted),
      notBy: notBy && new Set(notBy),
      filter: filter?.map((id) => id.toLowerCase()),
      timeout: timeout * 1000,
      secrets,
      headers: Object.fromEntries(headers.map(([name, value = '']) => [name, value])),
    };
  });
}
