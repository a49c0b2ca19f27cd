/** Reads as a client does, page after page. */
import type { FixtureResponse } from '../adapters/contracts/fixtures/fixture.ts';
import { aToken } from '../support/service.ts';
import type { RecordedRead } from './fixture.ts';
import { type Read, reads } from './reads.ts';

/** What tells clients where they are, and how to go on. */
const mattering = ['content-type', 'etag', 'last-modified', 'link'];

export async function answerTo(url: string, { target, accept }: Read): Promise<FixtureResponse> {
  const Authorization = `Bearer ${await aToken()}`;
  const response = await fetch(url + target, { headers: { Authorization, Accept: accept } });
  const text = await response.text();
  const headers = Object.fromEntries(
    mattering.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name === 'content-type' ? 'Content-Type' : name, value]];
    }),
  );
  return {
    status: response.status,
    headers,
    body: /json/.test(headers['Content-Type'] ?? '') ? JSON.parse(text) : text,
  };
}

/** The next page of a list, of the feed or of a history; undefined at its end. */
function pageBehind(target: string, { headers, body }: FixtureResponse): string | undefined {
  const [, linked] = /<([^>]*)>; rel="next"/.exec(headers.link ?? '') ?? [];
  if (linked !== undefined) return linked;
  const { changes = [], next } = (body ?? {}) as { changes?: readonly unknown[]; next?: string };
  if (changes.length === 0 || next === undefined) return undefined;
  const path = new URL(target, 'http://localhost');
  path.searchParams.set(path.pathname === '/changes' ? 'since' : 'after', next);
  return path.pathname + path.search;
}

export async function readAll(url: string): Promise<readonly RecordedRead[]> {
  const recorded: RecordedRead[] = [];
  for (const { target: first, accept } of reads)
    for (let target: string | undefined = first; target !== undefined; ) {
      const response = await answerTo(url, { target, accept });
      recorded.push({ target, accept, response });
      target = pageBehind(target, response);
    }
  return recorded;
}
