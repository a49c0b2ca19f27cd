/** Documents that are the same for everybody until the next release, as routes: made once, with a tag, fit for every cache. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Route } from './api.ts';
import { acceptableCodings, type Coding, codingFor } from './codings.ts';
import { checkMatch, heldTag, inCoding, isFresh } from './conditional.ts';
import type { Context } from './context.ts';
import { HttpProblem } from './problems.ts';
import { respond } from './respond.ts';

export interface StaticDocument {
  /** Below the base path. */
  readonly path: string;
  /** The same with its variable part named, as the router has it: `/pages/:name`. Documents of one route share it. */
  readonly route: string;
  readonly contentType: string;
  readonly summary: string;
  /** The Content-Security-Policy of a page. */
  readonly policy?: string;
  /** Called once, when it is first asked for: the start has better things to do. */
  make(): Promise<string | Buffer>;
}

/** How long a cache may keep it without asking, in seconds: a release may change it. */
const maxAge = 3600;

interface Made {
  readonly body: Buffer;
  readonly tag: string;
  /** By their coding, once they were asked for: they never change, so the work is done once. */
  readonly coded: Map<Coding, Promise<Buffer>>;
}

const encoders: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  identity: async (body) => body,
  gzip: promisify<Buffer, Buffer>(gzip),
  br: promisify<Buffer, Buffer>(brotliCompress),
};

/** Pictures are compressed as they are. */
const isText = /^text\/|json|xml|yaml/;

/** These answers are the same whatever type the client accepts. */
const vary = 'Accept-Encoding';

/** What `work` gives for a key, worked out once; tried again after a failure. */
function once<K, V>(known: Map<K, Promise<V>>, key: K, work: () => Promise<V>): Promise<V> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const working = work();
  known.set(key, working);
  working.catch(() => known.delete(key));
  return working;
}

async function makeWhole(document: StaticDocument): Promise<Made> {
  const body = Buffer.from(await document.make());
  const hash = createHash('sha256').update(document.contentType).update(body);
  return { body, tag: `"${hash.digest('base64url').slice(0, 22)}"`, coded: new Map() };
}

async function show(ctx: Context, { contentType, policy }: StaticDocument, made: Made): Promise<void> {
  const { tag, body, coded } = made;
  const isCoded = isText.test(contentType);
  const coding = isCoded ? codingFor(ctx, body.length) : 'identity';
  const codings = (): readonly Coding[] => (isCoded ? acceptableCodings(ctx) : ['identity']);
  checkMatch(ctx.headers, tag, codings);
  const held = heldTag(ctx.headers, tag, codings);
  const fields = ['Cache-Control', `public, max-age=${maxAge}`, 'ETag', held ?? inCoding(tag, coding)];
  if (policy !== undefined) fields.push('Content-Security-Policy', policy);
  if (held !== undefined || isFresh(ctx.headers)) {
    await respond(ctx, { status: 304, fields, vary });
    return;
  }
  fields.push('Content-Type', contentType);
  if (coding !== 'identity') fields.push('Content-Encoding', coding);
  const content = await once(coded, coding, () => encoders[coding](body));
  await respond(ctx, { status: 200, fields, content, vary });
}

const paramIn = (route: string): string | undefined => /:([a-z]+)/.exec(route)?.[1];

const idOf = (route: string): string =>
  route
    .slice(1)
    .replaceAll(':', '')
    .replace(/[^A-Za-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** @param documents those of one route, at least one */
function routeOf(path: string, documents: readonly StaticDocument[]): Route {
  const made = new Map<StaticDocument, Promise<Made>>();
  const param = paramIn(path);
  const nameOf = (document: StaticDocument) => document.path.slice(path.indexOf(':'));
  const named = new Map(documents.map((document) => [nameOf(document), document]));
  const policy = documents[0]?.policy === undefined ? [] : (['Content-Security-Policy'] as const);
  const types = documents.map(({ contentType }) => contentType.split(';')[0] ?? '');
  return {
    method: 'GET',
    path,
    id: idOf(path),
    isNegotiated: false,
    async handle(ctx) {
      const document = param === undefined ? documents[0] : named.get(String(ctx.params[param]));
      if (document === undefined) throw new HttpProblem('no-such-resource', 'There is nothing at this path.');
      await show(ctx, document, await once(made, document, () => makeWhole(document)));
    },
    summary: documents[0]?.summary ?? '',
    ...(param === undefined
      ? {}
      : { params: { [param]: { schema: { type: 'string', enum: [...named.keys()] } } } }),
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
    problems: ['precondition-failed', ...(param === undefined ? [] : ['no-such-resource'])],
  };
}

/** A route for each path, in the order of the documents. */
export const staticRoutes = (documents: readonly StaticDocument[]): Route[] =>
  [...new Set(documents.map(({ route }) => route))].map((path) =>
    routeOf(
      path,
      documents.filter(({ route }) => route === path),
    ),
  );
