/** What the name of a file says beside its format. */

/** In the place of a name: standard input or output. */
export const standardStream = '-';

/** It is gzip. */
export const isPackedName = (path: string): boolean => /\.gz$/i.test(path);
