/** Where a page of the list leads to (RFC 8288). */

import { type Cursor, readCursor } from '../address/address.ts';

export type PageLinks = Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', Cursor>>>;

const relations = ['first', 'prev', 'next', 'last'] as const;

/** Only the place is taken from a link: it has the address that the service knows itself by. */
export function readLinks(header: string): PageLinks {
  const links: Partial<Record<keyof PageLinks, Cursor>> = {};
  for (const [, url = '', relation] of header.matchAll(/<([^>]*)>\s*;\s*rel="([^"]*)"/g)) {
    const known = relations.find((name) => name === relation);
    if (known !== undefined) links[known] = readCursor(new URLSearchParams(url.slice(url.indexOf('?') + 1)));
  }
  return links;
}
