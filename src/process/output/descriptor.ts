/** Non-blocking descriptors for output. */
import { constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * A descriptor for the same output, on which writes fail with EAGAIN instead of blocking. (Writes to files don't block.)
 * Linux opens it again, so that only the new descriptor is non-blocking and not, for example, that of a shell on the same
 * terminal. Where that isn't possible, as for a socket or another user's pipe, it becomes non-blocking for all who share it.
 */
export function toNonBlocking(fd: number): number {
  const stat = fstatSync(fd);
  const isStream = stat.isFIFO() || stat.isSocket();
  if (!isStream && !stat.isCharacterDevice()) return fd;
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    if (process.platform === 'linux')
      return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A socket, another user's pipe, or a pipe that nobody reads any more.
  }
  if (isStream) setNonBlocking(fd);
  return fd;
}

/** By making a Socket, which sets O_NONBLOCK. It is never closed, since that would close the descriptor. */
const setNonBlocking = (fd: number) =>
  new Socket({ fd, readable: false, writable: true }).on('error', () => {}).unref();
