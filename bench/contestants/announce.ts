/** Prints the line that `startServer` waits for. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export function announce(server: Server): void {
  const { port } = server.address() as AddressInfo;
  process.stderr.write(`Listening on http://127.0.0.1:${port}/users\n`);
}
