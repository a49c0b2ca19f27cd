/** The links of a page of the list (RFC 8288). */

import { type Cursor, readCursor } from '../address/address.ts';

export type PageLinks = Readonly<Partial<Record<'first' | 'prev' | 'next' | 'last', Cursor>>>;

/** Uses only the cursor of a link: its address is the service's public URL, which the browser may not reach. */
export const readLinks = (header: string): PageLinks =>
  Object.fromEntries(
    [...header.matchAll(/<([^>]*)>\s*;\s*rel="([^"]*)"/g)].map(([, url = '', relation]) => [
      relation,
      readCursor(new URLSearchParams(url.slice(url.indexOf('?') + 1))),
    ]),
  );
