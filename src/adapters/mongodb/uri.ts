/** The connection string: what of it may be shown, what it may not ask for, and what it leaves to us. */
import { MongoClient, type MongoClientOptions, type MongoOptions } from 'mongodb';
import { readRegularFile } from '../files.ts';

/** Of a database whose name the connection string doesn't give. */
const defaultDatabase = 'users';

/** Parts of a connection string, as far as nothing in them is secret; userinfo can't hold a bare `/`, `?` or `@`. */
const shape = /^(mongodb(?:\+srv)?:\/\/)(?:[^/?@]*@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/s;

/** Where the users are, for people: hosts and database, without credentials or options. */
export function mongoAddress(uri: string): string {
  const [, , hosts = '(unreadable connection string)', database = ''] = shape.exec(uri) ?? [];
  return `${hosts}/${database || defaultDatabase}`;
}

function optionNames(uri: string): ReadonlySet<string> {
  const query = shape.exec(uri)?.[4] ?? '';
  return new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
}

/** What a message must not contain: the userinfo, and options that carry secrets, as written and decoded. */
function secretsOf(uri: string): string[] {
  const userinfo = /\/\/(.*)@/s.exec(uri)?.[1] ?? '';
  const options = [...uri.matchAll(/[?&][^=&]*(?:password|properties|token)[^=&]*=([^&]*)/gi)];
  const written = [userinfo, ...userinfo.split(':'), ...options.map(([, value = '']) => value)];
  return [...written, ...written.map(decoded)].filter((secret) => secret !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Why the driver refuses the connection string: in its own words only where they don't quote it. */
function refusal(uri: string, cause: unknown): Error {
  const said = cause instanceof Error ? cause.message : String(cause);
  const isSafe = !said.includes('//') && !secretsOf(uri).some((secret) => said.includes(secret));
  return new Error(`The MongoDB connection string can't be used: ${isSafe ? said : 'it is malformed'}`);
}

function assertKeepsPromise({ writeConcern }: Readonly<MongoOptions>): void {
  const { w, journal } = writeConcern ?? {};
  const wrong = [w !== undefined && w !== 'majority' && `w=${w}`, journal === false && 'journal=false'];
  const named = wrong.filter((option) => option !== false);
  if (named.length === 0) return;
  throw new Error(
    `The MongoDB connection string asks for ${named.join(' and ')}: an answered write would not be durable`,
  );
}

/** A server takes no other name of a database. The service would wait, unready, for what never comes. */
function assertNamed(database: string): void {
  if (!/[/\\. "$\0]/.test(database) && Buffer.byteLength(database) < 64) return;
  throw new Error(
    'The MongoDB connection string names a database that there can not be: at most 63 bytes, without / \\ . " $ and spaces',
  );
}

/** The driver reads them when it connects, whatever they are, and again and again when they are missing. */
function assertFiles({ tlsCAFile, tlsCRLFile, tlsCertificateKeyFile }: Readonly<MongoOptions>): void {
  for (const file of [tlsCAFile, tlsCRLFile, tlsCertificateKeyFile].filter((name) => name !== undefined)) {
    try {
      readRegularFile(file, { isPrivate: false });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The MongoDB connection string names ${file}: ${reason}`, { cause });
    }
  }
}

export interface Opened {
  /** Not connected yet. */
  readonly client: MongoClient;
  readonly database: string;
}

/**
 * A client for the connection string. What it says goes before `defaults`, except that nothing weakens `fixed`.
 * @throws Error that tells an operator what is wrong, and nothing secret
 */
export function openClient(uri: string, defaults: MongoClientOptions, fixed: MongoClientOptions): Opened {
  const given = optionNames(uri);
  const left = Object.entries(defaults).filter(([name]) => !given.has(name.toLowerCase()));
  let asked: MongoClient;
  let client: MongoClient;
  try {
    asked = new MongoClient(uri);
    client = new MongoClient(uri, { ...Object.fromEntries(left), ...fixed });
  } catch (cause) {
    throw refusal(uri, cause);
  }
  const database = decoded(shape.exec(uri)?.[3] ?? '') || defaultDatabase;
  assertKeepsPromise(asked.options);
  assertFiles(asked.options);
  assertNamed(database);
  return { client, database };
}
