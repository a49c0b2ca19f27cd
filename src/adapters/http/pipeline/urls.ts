import { suggest } from '../../../domain/validation/suggest.ts';
import type { Api } from './api.ts';

/**
 * Makes every URL in responses: from the settings, never from a request's Host or Forwarded. Suggests the path of a route to a client whose path has no
 * route: `(perhaps https://directory.example/things/{id})`.
 */

export interface UrlSettings {
  /** As clients see it, in front of all gateways: `https://directory.example/v1`; empty: paths alone. */
  readonly publicUrl: string;
  /** All routes stand below it here, such as `/v1`; empty: at the root. */
  readonly basePath: string;
}

/** @param path begins with a slash @returns an absolute URL below the public one, or a path where that is empty */
export type Urls = (path: string) => string;

export const urls = ({ publicUrl, basePath }: UrlSettings): Urls => {
  const base = publicUrl === '' ? basePath : publicUrl.replace(/\/$/, '');
  return (path) => base + path;
};

type Parts = readonly string[];

/** In characters. Longer paths get no suggestion, which would take longer than a small read. */
const longestPath = 512;

/** Ignores a slash at the end and repeated ones. */
const partsOf = (path: string): Parts => path.split('/').filter((part) => part !== '');

const isParam = (part: string): boolean => part.startsWith(':');

/** The shorter path is the end of the other, beginning with a named part. */
function isEnd(known: Parts, parts: Parts, ignoresCase = false): boolean {
  const [ends = [], asked = []] = [known, parts].map((all) =>
    all.slice(-Math.min(known.length, parts.length)),
  );
  const write = (part = ''): string => (ignoresCase ? part.toLowerCase() : part);
  const [first = ':'] = ends;
  return !isParam(first) && ends.every((part, at) => isParam(part) || write(part) === write(asked[at]));
}

/**
 * Finds paths that differ in slashes, in case, by a few letters, or by missing or extra parts in front.
 * @returns the text to append to a path in a message; empty when no route has a similar path
 */
export function pathSuggester(apis: readonly Api[], settings: UrlSettings): (path: string) => string {
  const url = urls(settings);
  const show = (parts: Parts): string => url(`/${parts.join('/').replace(/:(\w+)/g, '{$1}')}`);
  const paths = new Set(apis.flatMap(({ routes }) => routes.map(({ path }) => path)));
  const known = [...paths].map(partsOf).sort((one, other) => one.length - other.length);
  const whole = new Map(
    known.flatMap((parts) => (parts.some(isParam) ? [] : [[show(parts), parts.join('/')]])),
  );
  return (path) => {
    const { basePath } = settings;
    if (path.length > longestPath) return '';
    const parts = partsOf(path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path);
    const found =
      known.find((one) => one.length >= parts.length && isEnd(one, parts)) ??
      known.find((one) => one.length === parts.length && isEnd(one, parts, true)) ??
      known.findLast((one) => one.length < parts.length && isEnd(one, parts));
    if (found !== undefined) return ` (perhaps ${show(found)})`;
    return suggest(parts.join('/'), whole.keys(), (shown) => [whole.get(shown) ?? '']);
  };
}
