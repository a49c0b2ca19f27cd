/** Reads the connection string: shows it without secrets, refuses options that weaken durability, and adds defaults. */
import { MongoClient, type MongoClientOptions, type MongoOptions } from 'mongodb';
import { messageOf } from '../../../system/errors.ts';
import { readRegularFile } from '../../../system/files.ts';

/** Where the connection string names no database. */
const defaultDatabase = 'users';

/** Scheme, hosts, database and query, without the userinfo, which can't hold a bare `/`, `?` or `@`. */
const shape = /^(mongodb(?:\+srv)?:\/\/)(?:[^/?@]*@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/s;

/** Where the users are, for people: hosts and database, without credentials or options. */
export function mongoAddress(uri: string): string {
  const [, , hosts = '(unreadable connection string)', database = ''] = shape.exec(uri) ?? [];
  return `${hosts}/${database || defaultDatabase}`;
}

/** The database in the connection string. */
export const databaseIn = (uri: string): string => decode(shape.exec(uri)?.[3] ?? '') || defaultDatabase;

function optionNames(uri: string): ReadonlySet<string> {
  const query = shape.exec(uri)?.[4] ?? '';
  return new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
}

/** Texts that no message may contain: the userinfo, and the values of options that carry secrets, as written and decoded. */
function secretsOf(uri: string): string[] {
  const userinfo = /\/\/(.*)@/s.exec(uri)?.[1] ?? '';
  const options = [...uri.matchAll(/[?&][^=&]*(?:password|properties|token)[^=&]*=([^&]*)/gi)];
  const written = [userinfo, ...userinfo.split(':'), ...options.map(([, value = '']) => value)];
  return [...written, ...written.map(decode)].filter((secret) => secret !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the driver's own message only if it doesn't quote the connection string. */
function toRefusal(uri: string, cause: unknown): Error {
  const said = messageOf(cause);
  const isSafe = !said.includes('//') && !secretsOf(uri).some((secret) => said.includes(secret));
  const [, password = ''] = /\/\/[^:]*:(.*)@/s.exec(uri) ?? [];
  const advice = /[@:/]|%(?![\da-f]{2})/i.test(password)
    ? ' (USERS_MONGODB_URI: write @ : / % in a password as %40 %3A %2F %25)'
    : '';
  return new Error(
    `The MongoDB connection string can't be used: ${isSafe ? said : 'it is malformed'}${advice}`,
  );
}

function assertDurable({ writeConcern }: Readonly<MongoOptions>): void {
  const { w, journal } = writeConcern ?? {};
  const wrong = [w !== undefined && w !== 'majority' && `w=${w}`, journal === false && 'journal=false'];
  const named = wrong.filter((option) => option !== false);
  if (named.length === 0) return;
  throw new Error(
    `The MongoDB connection string asks for ${named.join(' and ')}: an answered write would not be durable`,
  );
}

/** A server refuses any other name of a database, and the service would wait for ever to become ready. */
function assertDatabaseName(database: string): void {
  if (!/[/\\. "$\0]/.test(database) && Buffer.byteLength(database) < 64) return;
  throw new Error(
    'The MongoDB connection string names a database that there can not be: at most 63 bytes, without / \\ . " $ and spaces',
  );
}

/** Checked here because the driver reads them only when it connects, and tries again and again when they are missing. */
function assertReadableFiles({ tlsCAFile, tlsCRLFile, tlsCertificateKeyFile }: Readonly<MongoOptions>): void {
  for (const file of [tlsCAFile, tlsCRLFile, tlsCertificateKeyFile].filter((name) => name !== undefined)) {
    try {
      readRegularFile(file, { isPrivate: false });
    } catch (cause) {
      throw new Error(`The MongoDB connection string names ${file}: ${messageOf(cause)}`, { cause });
    }
  }
}

export interface ClientOfUri {
  /** Not connected yet. */
  readonly client: MongoClient;
  readonly database: string;
}

/**
 * Makes a client. The connection string overrides `defaults`, and `fixed` overrides the connection string.
 * @throws Error that tells an operator what is wrong, and nothing secret
 */
export function openClient(
  uri: string,
  defaults: MongoClientOptions,
  fixed: MongoClientOptions,
): ClientOfUri {
  const given = optionNames(uri);
  const left = Object.entries(defaults).filter(([name]) => !given.has(name.toLowerCase()));
  let asked: MongoClient;
  let client: MongoClient;
  try {
    asked = new MongoClient(uri);
    client = new MongoClient(uri, { ...Object.fromEntries(left), ...fixed });
  } catch (cause) {
    throw toRefusal(uri, cause);
  }
  const database = databaseIn(uri);
  assertDurable(asked.options);
  assertReadableFiles(asked.options);
  assertDatabaseName(database);
  return { client, database };
}
