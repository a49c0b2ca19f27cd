/**
 * Preloaded (`node --import`) into a service: a request for /long holds the event loop for `held` ms as it is read, one for /work until the
 * process has worked for `worked` ms, and one for /endless for ever.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

const held = 300;
const worked = 400;

const cpuTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

subscribe('http.server.request.start', (message) => {
  const { url } = (message as { request: IncomingMessage }).request;
  const end = url === '/endless' ? Number.POSITIVE_INFINITY : performance.now() + held;
  while ((url === '/long' || url === '/endless') && performance.now() < end);
  const endOfWork = cpuTime() + worked;
  while (url === '/work' && cpuTime() < endOfWork);
});
