/** Plain sockets, for clients that no HTTP library would be. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from './deadlines.ts';

/** A connection to the service, and all that came back on it. */
export interface Client {
  readonly socket: Socket;
  /** Of all that was received, as Latin-1. */
  received(): string;
  /** Resolves when what was received matches, or with what there is when the connection ends before. */
  got(pattern: RegExp): Promise<string>;
  /** Resolves with all that was received when the connection has ended, however. */
  readonly ended: Promise<string>;
}

/** Opens a connection and sends `text`, in Latin-1 so that every byte can be given. */
export async function open(url: string, text = ''): Promise<Client> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let all = '';
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(all)));
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.setEncoding('latin1').on('data', (piece: string) => {
    all += piece;
  });
  if (text !== '') socket.write(text, 'latin1');
  const got = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (!pattern.test(all)) return;
        socket.off('data', look);
        resolve(all);
      };
      socket.on('data', look);
      void ended.then(resolve);
      look();
    });
  return { socket, received: () => all, got, ended };
}

/** As many at once. */
export const openMany = (url: string, count: number, text = ''): Promise<Client[]> =>
  Promise.all(Array.from({ length: count }, () => open(url, text)));

/** Sends `text` on a connection of its own and resolves with all that came back until the service closed it. */
export const converse = async (url: string, text: string): Promise<string> => (await open(url, text)).ended;

/** The statuses of the answers in what was received, in their order. */
export const statuses = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** How many sockets, servers and the like this process has open. */
export const openHandles = (): number =>
  process.getActiveResourcesInfo().filter((name) => /^(TCP|Pipe)/.test(name)).length;

/** Resolves when no more are open than that. */
export const handlesBackTo = (count: number): Promise<void> =>
  until(`no more than ${count} handles are open`, () => openHandles() <= count);
