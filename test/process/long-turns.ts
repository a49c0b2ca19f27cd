/**
 * Preloaded (`node --import`) into a service: a request for /long holds the event loop for `held` ms as it is read, one for /work until
 * the file `go-on` is in its working folder, and one for /endless for ever.
 */
import { subscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';

const held = 300;

subscribe('http.server.request.start', (message) => {
  const { url } = (message as { request: IncomingMessage }).request;
  const end = url === '/endless' ? Number.POSITIVE_INFINITY : performance.now() + held;
  while ((url === '/long' || url === '/endless') && performance.now() < end);
  while (url === '/work' && !existsSync('go-on'));
});
