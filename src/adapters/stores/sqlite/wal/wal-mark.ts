/**
 * The mark that says to which state of the file a log belongs. SQLite doesn't ask: it plays a log it finds into whichever file
 * has its name, such as a backup that was put there.
 *
 * The mark stands in the first page, beside the layout's version in `user_version`, where it can be read without SQLite. It says
 * the place it was meant for: `file` is committed right before a checkpoint and so gets into the file; `log` is committed right
 * after and stays in the log until the next checkpoint. Both carry the same random id. So a file in use says `file` and its log
 * begins with `log` and the same id, while copies made through SQLite say `log`. A file that was closed in order has no mark:
 * its `user_version` is the plain version.
 */
import { randomInt } from 'node:crypto';
import type { Connection } from '../file/connection.ts';

const places = ['nowhere', 'file', 'log'] as const;

export interface Mark {
  readonly place: (typeof places)[number];
  /** 16 bits. */
  readonly id: number;
}

const versionBits = 14;
export const versionMask = 2 ** versionBits - 1;

export const versionIn = (userVersion: number): number => userVersion & versionMask;

export const markIn = (userVersion: number): Mark => ({
  place: places[(userVersion >>> versionBits) & 3] ?? 'nowhere',
  id: userVersion >>> 16,
});

const isSame = (one: Mark, other: Mark): boolean => one.place === other.place && one.id === other.id;

/** SQLite's header field, a signed number of 32 bits. */
const userVersionOf = (version: number, { place, id }: Mark): number =>
  (id << 16) | (places.indexOf(place) << versionBits) | version;

const noMark: Mark = { place: 'nowhere', id: 0 };

export class LogMark {
  readonly #db: Connection;
  /** The mark of a checkpoint that another process has begun; it may have died since. */
  #othersBeginning: Mark | undefined;

  constructor(db: Connection) {
    this.#db = db;
  }

  read(): Mark {
    return markIn(this.#userVersion());
  }

  /**
   * For right before a checkpoint.
   * @param restarted the mark of a WAL that has just begun anew without one: the new mark has its id, by which the file is known as its base
   * @returns undefined when another process is about to make one. It may have died: asked again with nothing
   *   changed, this one goes ahead
   */
  markFile(restarted?: Mark): Mark | undefined {
    return this.#change((found) => {
      const isOthers =
        found.place === 'file' && !(this.#othersBeginning && isSame(found, this.#othersBeginning));
      this.#othersBeginning = isOthers ? found : undefined;
      const id = restarted?.place === 'log' ? restarted.id : randomInt(2 ** 16);
      return isOthers ? undefined : { place: 'file', id };
    });
  }

  /** For right after it. False when another process has set its own since. */
  markLog(mark: Mark): boolean {
    return (
      this.#change((found) => (isSame(found, mark) ? { ...mark, place: 'log' } : undefined)) !== undefined
    );
  }

  /** For right before closing: a file that is complete without its log has no mark. */
  clear(): void {
    this.#change(() => noMark);
  }

  #change(change: (found: Mark) => Mark | undefined): Mark | undefined {
    const transaction = this.#db.transaction(() => {
      const userVersion = this.#userVersion();
      const mark = change(markIn(userVersion));
      if (mark) this.#db.pragma(`user_version = ${userVersionOf(versionIn(userVersion), mark)}`);
      return mark;
    });
    return transaction.immediate();
  }

  #userVersion(): number {
    return Number(this.#db.pragma('user_version', { simple: true }));
  }
}
