import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port that nobody listened on a moment ago. */
export async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
