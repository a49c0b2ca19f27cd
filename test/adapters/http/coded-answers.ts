/** A service with users that are worth compressing, and its answers as they are on the wire: fetch would decode them. */
import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { aUser } from '../../support/a-user.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { memoryStore } from '../../support/stores.ts';
import type { UserStore } from '../../support/verbs.ts';

export const decoders = { gzip: gunzipSync, br: brotliDecompressSync } as const;
export const codings = Object.keys(decoders) as (keyof typeof decoders)[];

const large = {
  title: 'a title of some length, said again and again'.repeat(5),
  attributes: { note: 'x'.repeat(1000) },
};

export interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** False when the connection was broken off. */
  readonly whole: boolean;
}

type Headers = Readonly<Record<string, string>>;

export interface CodedService extends TestService {
  /** Of the last user. */
  readonly path: string;
  /** Resolves when the answer has begun, all of it still to be read. */
  begin(path: string, headers?: Headers, method?: string): Promise<IncomingMessage>;
  ask(path: string, headers?: Headers, method?: string): Promise<Raw>;
}

function readWhole(answer: IncomingMessage): Promise<Raw> {
  const { statusCode: status = 0, headers } = answer;
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const end = (whole: boolean) => resolve({ status, headers, bytes: Buffer.concat(chunks), whole });
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('end', () => end(answer.complete));
    answer.on('error', () => end(false));
  });
}

async function insertUsers(store: UserStore, count: number, more: object): Promise<string> {
  const time = '2026-01-01T00:00:00.000Z';
  let path = '';
  for (let at = 0; at < count; at += 1) {
    const id = `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
    const meta = { created: time, lastModified: time, version: `v${at}` };
    await store.insert(Stored.of(aUser({ id, userName: `user${at}`, meta, ...more })));
    path = `/users/${id}`;
  }
  return path;
}

/** A service with so many users, large ones unless `more` says what they have. */
async function startCodedService(count: number, more: object = large): Promise<CodedService> {
  const store = memoryStore();
  const service = await startService({}, store);
  const path = await insertUsers(store, count, more);
  const authorization = `Bearer ${await aToken()}`;
  const begin: CodedService['begin'] = (at, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      request(service.url + at, { method, headers: { authorization, ...headers } }, resolve)
        .on('error', reject)
        .end();
    });
  return { ...service, path, begin, ask: async (...asked) => readWhole(await begin(...asked)) };
}

/** Starts one for the test that asks, and closes it after that test. For within a `describe`. */
export function eachCodedService(): typeof startCodedService {
  let service: CodedService | undefined;
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });
  return async (...users) => {
    service = await startCodedService(...users);
    return service;
  };
}
