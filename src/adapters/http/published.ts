/** Serves what is published (contracts/documents.ts): open, before authentication, and fit for every cache. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { documents, type Published } from '../contracts/documents.ts';
import { acceptableCodings, type Coding, codingFor } from './codings.ts';
import { checkMatch, heldTag, inCoding, isFresh } from './conditional.ts';
import type { Context } from './context.ts';
import { HttpProblem } from './problems.ts';
import { respond } from './respond.ts';
import { type UrlSettings, urls } from './urls.ts';

const allow = 'GET, HEAD, OPTIONS';

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

/** Below these every path is open, and one that isn't there is nobody's secret: 404 without 401. */
const openFolders = [...new Set(documents.filter(({ route }) => route.includes(':')).map(folderOf))];

function folderOf({ route }: Published): string {
  return route.slice(0, route.indexOf(':'));
}

/** These answers are the same whatever type the client accepts. */
const vary = 'Accept-Encoding';

function bodyIn(coding: Coding, { body, coded }: Made): Promise<Buffer> {
  const known = coded.get(coding);
  if (known !== undefined) return known;
  const encoding = encoders[coding](body);
  coded.set(coding, encoding);
  encoding.catch(() => coded.delete(coding));
  return encoding;
}

async function show(ctx: Context, { contentType, policy }: Published, made: Made): Promise<void> {
  const { tag, body } = made;
  const codes = isText.test(contentType);
  const coding = codes ? codingFor(ctx, body.length) : 'identity';
  const codings = (): readonly Coding[] => (codes ? acceptableCodings(ctx) : ['identity']);
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
  await respond(ctx, { status: 200, fields, content: await bodyIn(coding, made), vary });
}

/** Undefined for what isn't published. @throws HttpProblem 404 below a folder that is open as a whole */
export function published(settings: UrlSettings) {
  const { basePath } = settings;
  const table = new Map(documents.map((document) => [basePath + document.path, document]));
  const made = new Map<Published, Promise<Made>>();

  async function make(document: Published): Promise<Made> {
    const body = Buffer.from(await document.make({ url: urls(settings) }));
    const hash = createHash('sha256').update(document.contentType).update(body);
    return { body, tag: `"${hash.digest('base64url').slice(0, 22)}"`, coded: new Map() };
  }

  /** Each once, when it is first asked for: the start has better things to do. */
  function madeOnce(document: Published): Promise<Made> {
    const known = made.get(document);
    if (known !== undefined) return known;
    const making = make(document);
    made.set(document, making);
    making.catch(() => made.delete(document));
    return making;
  }

  async function serve(ctx: Context, document: Published): Promise<void> {
    ctx.state.route = document.route;
    if (ctx.method === 'GET' || ctx.method === 'HEAD') await show(ctx, document, await madeOnce(document));
    else if (ctx.method === 'OPTIONS') {
      await respond(ctx, { status: 204, fields: ['Allow', allow] });
    } else throw new HttpProblem('method-not-allowed', `This path answers to ${allow}.`, { Allow: allow });
  }

  const folders = openFolders.map((folder) => basePath + folder);
  const isOpen = (path: string) => folders.some((folder) => path.startsWith(folder));
  return (ctx: Context, path: string): Promise<void> | undefined => {
    const document = table.get(path);
    if (document !== undefined) return serve(ctx, document);
    if (isOpen(path)) throw new HttpProblem('no-such-resource', 'There is nothing at this path.');
    return undefined;
  };
}
