/**
 * Mends how the driver (7.8.0) sends a command. Where the socket doesn't take the command at once, the driver waits for `drain`, and
 * - passes the socket's own error on as it is: no MongoError, so nothing is repeated and it looks like a fault of the program;
 * - waits for ever when the socket closes without an error: the server has ended the connection, or a time-out has.
 *
 * No public API reaches these sockets. The repair patches an internal class of the driver; a driver without that class is left alone, and
 * driver-sockets.test.ts fails.
 */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { MongoError, MongoNetworkError } from 'mongodb';
import { messageOf } from '../../../system/errors.ts';

/** The part of the driver's internal class that is used. */
interface DriverConnection {
  readonly socket: Socket;
  /** Destroys the socket, and ends all operations on the connection. */
  onError(error: Error): void;
  writeCommand(this: DriverConnection, command: unknown, options: unknown): Promise<void>;
}

const internals: { Connection?: { prototype: Partial<DriverConnection> } } = createRequire(import.meta.url)(
  'mongodb/lib/cmap/connection.js',
);

const watched = new WeakSet<Socket>();

/** Reports the end of the socket to a command that still waits for it. */
function watch(socket: Socket): void {
  if (watched.has(socket)) return;
  watched.add(socket);
  socket.once('close', () => {
    if (socket.listenerCount('drain') > 0) socket.emit('error', new Error('the connection was closed'));
  });
}

function mend(prototype: Partial<DriverConnection>): void {
  const write = prototype.writeCommand;
  if (write === undefined || prototype.onError === undefined) return;
  prototype.writeCommand = async function (command, options) {
    watch(this.socket);
    try {
      await write.call(this, command, options);
    } catch (cause) {
      if (cause instanceof MongoError) throw cause;
      const error = new MongoNetworkError(messageOf(cause), cause instanceof Error ? { cause } : {});
      this.onError(error);
      throw error;
    }
  };
}

mend(internals.Connection?.prototype ?? {});
