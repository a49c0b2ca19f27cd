/** Descriptors for output that never hold the process up. */
import { constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * A descriptor for what stands behind `fd` on which a write that would wait fails with EAGAIN instead. (Files don't wait.)
 * Where the system can it is opened anew: that mark is then nobody else's, such as a shell's on the same terminal. Else, such as
 * for a socket or another user's pipe, everybody who was given it has the mark too.
 */
export function unblocked(fd: number): number {
  const stat = fstatSync(fd);
  const isStream = stat.isFIFO() || stat.isSocket();
  if (!isStream && !stat.isCharacterDevice()) return fd;
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    if (process.platform === 'linux')
      return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A socket, or another user's, or a pipe that nobody reads any more.
  }
  if (isStream) mark(fd);
  return fd;
}

/** It lives as long as the process: its descriptor would be closed with it. */
const mark = (fd: number) =>
  new Socket({ fd, readable: false, writable: true }).on('error', () => {}).unref();
