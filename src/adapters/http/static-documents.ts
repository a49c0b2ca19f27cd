/** Routes for static documents: they stay the same while the process runs, are made once, have an entity tag, and any cache may store them. */
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { DescribedRoute } from './pipeline/api.ts';
import { acceptableCodings, type Coding, codingFor } from './pipeline/codings.ts';
import { checkIfMatch, contentTag, findHeldTag, isFresh, tagInCoding } from './pipeline/conditional.ts';
import type { Context } from './pipeline/context.ts';
import { respond } from './pipeline/respond.ts';
import { noSuchResource } from './problems/problems.ts';

export interface StaticDocument {
  /** Below the base path. */
  readonly path: string;
  /** For documents that share a route, with the parts in which they differ named: `/pages/:name`. Left out: the path. */
  readonly route?: string;
  readonly contentType: string;
  readonly summary: string;
  /** The Content-Security-Policy of a page. */
  readonly policy?: string;
  /** Cache-Control; left out: an hour. */
  readonly caching?: string;
  /** True if its script reads the query. */
  readonly hasState?: boolean;
  /** Called once, on the first request: at the start it would cost time. */
  make(): Promise<string | Buffer>;
}

/** In seconds: a cache may use a stored document for this long without revalidation. A release, or another file of attributes, may change it. */
const usualCaching = 'public, max-age=3600';

/** The Cache-Control of documents that no release changes. */
export const cachedForEver = 'public, max-age=31536000, immutable';

interface MadeDocument {
  readonly body: Buffer;
  readonly tag: string;
  /** Each coding is made on its first request. */
  readonly encoded: Map<Coding, Promise<Buffer>>;
}

const encoders: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  identity: async (body) => body,
  gzip: promisify<Buffer, Buffer>(gzip),
  br: promisify<Buffer, Buffer>(brotliCompress),
};

/** Pictures are compressed already. */
const isText = /^text\/|json|xml|yaml/;

/** Not by Accept: each document has one media type. */
const vary = 'Accept-Encoding';

/** Calls `make` once for each key; again after a failure. */
function memoize<K, V>(known: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const making = make();
  known.set(key, making);
  making.catch(() => known.delete(key));
  return making;
}

async function makeDocument(document: StaticDocument): Promise<MadeDocument> {
  const body = Buffer.from(await document.make());
  return { body, tag: contentTag(body, document.contentType), encoded: new Map() };
}

async function send(
  ctx: Context,
  { contentType, policy, caching = usualCaching }: StaticDocument,
  made: MadeDocument,
): Promise<void> {
  const { tag, body, encoded } = made;
  const isEncodable = isText.test(contentType);
  const coding = isEncodable ? codingFor(ctx, body.length) : 'identity';
  const codings = (): readonly Coding[] => (isEncodable ? acceptableCodings(ctx) : ['identity']);
  checkIfMatch(ctx.headers, tag, codings);
  const held = findHeldTag(ctx.headers, tag, codings);
  const fields = ['Cache-Control', caching, 'ETag', held ?? tagInCoding(tag, coding)];
  if (policy !== undefined) fields.push('Content-Security-Policy', policy);
  if (held !== undefined || isFresh(ctx.headers)) {
    await respond(ctx, { status: 304, fields, vary });
    return;
  }
  fields.push('Content-Type', contentType);
  if (coding !== 'identity') fields.push('Content-Encoding', coding);
  const content = await memoize(encoded, coding, () => encoders[coding](body));
  await respond(ctx, { status: 200, fields, content, vary });
}

const paramsOf = (route: string): readonly string[] =>
  Array.from(route.matchAll(/:([a-z]+)/g), ([, name = '']) => name);

/** The values of one part, in the order of the documents. */
function valuesOf(route: string, name: string, documents: readonly StaticDocument[]): readonly string[] {
  const at = route.split('/').indexOf(`:${name}`);
  return [...new Set(documents.map(({ path }) => path.split('/')[at] ?? ''))];
}

/** In camelCase, for the names of operations in the contract. */
const idOf = (route: string): string =>
  route
    .slice(1)
    .replaceAll(':', '')
    .replace(/[^A-Za-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** @param documents the documents of one route, at least one */
function routeOf(path: string, documents: readonly StaticDocument[]): DescribedRoute {
  const made = new Map<StaticDocument, Promise<MadeDocument>>();
  const params = paramsOf(path);
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const policy = documents[0]?.policy === undefined ? [] : (['Content-Security-Policy'] as const);
  const types = documents.map(({ contentType }) => contentType.split(';')[0] ?? '');
  return {
    method: 'GET',
    path,
    id: idOf(path),
    ignoresOtherParameters: documents[0]?.hasState === true,
    isNegotiated: false,
    async handle(ctx) {
      const document = byPath.get(path.replace(/:([a-z]+)/g, (_, name: string) => String(ctx.params[name])));
      if (document === undefined) throw noSuchResource();
      await send(ctx, document, await memoize(made, document, () => makeDocument(document)));
    },
    summary: documents[0]?.summary ?? '',
    ...(params.length > 0 && {
      params: Object.fromEntries(
        params.map((name) => [name, { schema: { type: 'string', enum: valuesOf(path, name, documents) } }]),
      ),
    }),
    headers: ['If-None-Match', 'If-Match'],
    answers: [
      {
        status: 200,
        description: 'As it is now.',
        shows: types,
        headers: ['ETag', ...policy],
        optionalHeaders: ['Content-Encoding'],
      },
      { status: 304, description: 'It has not changed.', headers: ['ETag', ...policy] },
    ],
    problems: ['precondition-failed', ...(params.length === 0 ? [] : ['no-such-resource'])],
  };
}

const routePathOf = ({ path, route = path }: StaticDocument): string => route;

export const staticRoutes = (documents: readonly StaticDocument[]): DescribedRoute[] =>
  [...new Set(documents.map(routePathOf))].map((path) =>
    routeOf(
      path,
      documents.filter((document) => routePathOf(document) === path),
    ),
  );
