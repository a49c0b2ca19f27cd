/** Where a page of the list leads to (RFC 8288). */

import { type Cursor, readCursor } from '../address/address.ts';

export type PageLinks = Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', Cursor>>>;

/** Only the place is taken from a link: it has the address that the service knows itself by. */
export const readLinks = (header: string): PageLinks =>
  Object.fromEntries(
    [...header.matchAll(/<([^>]*)>\s*;\s*rel="([^"]*)"/g)].map(([, url = '', relation]) => [
      relation,
      readCursor(new URLSearchParams(url.slice(url.indexOf('?') + 1))),
    ]),
  );
