/** What a file name means, apart from the format. */

/** As a file name: standard input or output. */
export const standardStream = '-';

/** True for gzip. */
export const isPackedName = (path: string): boolean => /\.gz$/i.test(path);
