/** Names the processes that keep SQLite from restarting the WAL, by the locks that the system lists. */
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { sharedMemoryOf } from '../file/file-watch.ts';

/** Shared-memory bytes of read locks (https://www.sqlite.org/walformat.html#wal_locks). The byte before them locks out no process. */
const [firstReadLock, lastReadLock] = [124, 127];

/** Without the shared memory's name: opening and closing it would release this process's own locks. */
function readersOf(file: string): number[] {
  const { ino } = statSync(sharedMemoryOf(file));
  const locks = readFileSync('/proc/locks', 'utf8').matchAll(
    /POSIX +ADVISORY +READ +(\d+) [\da-f]+:[\da-f]+:(\d+) (\d+) (\d+)$/gm,
  );
  const pids = [...locks].flatMap(([, pid, inode, from, to]) =>
    Number(inode) === ino && Number(from) <= lastReadLock && Number(to) >= firstReadLock ? [Number(pid)] : [],
  );
  return [...new Set(pids)];
}

function nameOf(pid: number): string {
  if (pid === process.pid) return `this process (${pid})`;
  return `process ${pid} (${programOf(pid)})`;
}

/** Only the owner of a process may read which file it runs; its main thread's name, "MainThread" for Node 24, is open to all. */
function programOf(pid: number): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  }
}

/** @returns subject and verb of a sentence; no names where the system doesn't list locks, or the readers have just left */
export function describeReaders(file: string): string {
  try {
    const names = readersOf(file).map(nameOf);
    if (names.length > 0) return `${names.join(' and ')} ${names.length > 1 ? 'have' : 'has'} been reading`;
  } catch {
    // Other systems than Linux, or a process that has ended in between.
  }
  return 'a process has been reading';
}
