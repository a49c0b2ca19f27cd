/**
 * The constants that tune lists and counts. Measured with 1,000,000 users of 700 bytes on two cores, in CPU time: 0.2 µs for each user of
 * a set that is read, 0.35 µs for each entry of an index that is scanned, 5 µs for each user whose row is fetched.
 */

/** In milliseconds. A query that takes longer is refused. The slowest one of a million users, a word of all of them, takes 500. */
export const maxQueryTime = 5_000;

/** Users along the order that are checked before a set is made: 0.3 ms, against 20 for the set of a term that a tenth of the users have. */
export const probed = 300;

/** To fetch a user's row, for its sort keys or for a check, takes as long as to scan so many entries of an index: 5 µs against 0.35. */
export const fetchCost = 15;

/** Entries of an index that are scanned between two looks at the clock: 4 to 7 ms. A scan begins with a fraction of them. */
export const scannedAtOnce = 20_000;

/** User numbers that one statement reads into a set, a power of two: 0.2 to 0.5 s. FTS5 reads each list from its beginning, so smaller steps take longer. */
export const readAtOnce = 2 ** 20;

/** Rows that are fetched between two looks at the clock: 25 ms. */
export const fetchedAtOnce = 5_000;

/** In bytes, of the sets that a thread remembers: of ten million users 13. */
export const maxRemembered = 16 * 2 ** 20;

/** Users that a list may skip on the main thread, at 0.05 µs each. */
export const maxSkipped = 1_000;
