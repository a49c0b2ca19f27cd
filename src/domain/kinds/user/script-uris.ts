import type { Violation } from '../../base/errors.ts';
import { isObject } from '../../base/plain-values.ts';

/** Run by browsers that follow a link to them; `data:` may be a page with a script, as may an image in SVG. */
const script = /^(javascript|vbscript|data(?!:image\/(?!svg))):/i;

const fault = (pointer: string, uri: unknown): Violation[] => {
  const [, scheme] = typeof uri === 'string' ? (script.exec(uri) ?? []) : [];
  return scheme === undefined
    ? []
    : [{ pointer, detail: `must not have the scheme ${scheme.toLowerCase()}, which can run scripts` }];
};

/** A rule of its own: XML Schema has no pattern for "no such beginning". @param user as far as it has its schema's type */
export function findScriptUris({ profileUrl, photos }: Readonly<Record<string, unknown>>): Violation[] {
  const all: readonly unknown[] = Array.isArray(photos) ? photos : [];
  return [
    ...fault('/profileUrl', profileUrl),
    ...all.flatMap((photo, at) => fault(`/photos/${at}/value`, isObject(photo) ? photo.value : undefined)),
  ];
}
