/**
 * Followers of `/changes`, as a process of their own: `changes.ts` starts it with the URL, the credentials, whether they `wait` or `stream`,
 * and their number. Each has a connection, and goes on behind what it has received, as programs do. The process says `ready`, and then for each
 * change when the last follower had it, in ms since 1970.
 */
import { connect, type Socket } from 'node:net';

const [url = '', authorization = '', mode = 'wait', size = '0'] = process.argv.slice(2);
const { hostname, port, host } = new URL(url);
const count = Number(size);
const isStream = mode === 'stream';

/** Followers that connect at a time: the service has a queue of 511. */
const connectedAtOnce = 100;

const requestOf = (since: string): string =>
  [
    `GET /changes?since=${since}${isStream ? '' : '&wait=50'} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    `Accept: ${isStream ? 'text/event-stream' : 'application/json'}`,
    '\r\n',
  ].join('\r\n');

/** How many followers have a change, by the id of what was changed. */
const received = new Map<string, number>();

function receive(text: string): void {
  for (const [, id = ''] of text.matchAll(/"id":"([^"]+)"/g)) {
    const known = (received.get(id) ?? 0) + 1;
    received.set(id, known);
    if (known === count) process.send?.(Date.now());
  }
}

/** @returns what was not read yet */
function read(socket: Socket, text: string): string {
  if (isStream) {
    const end = text.lastIndexOf('\n\n') + 1;
    receive(text.slice(0, end));
    return text.slice(end);
  }
  const next = /"next":"([^"]+)".*\]\}$/s.exec(text)?.[1];
  if (next === undefined) return text;
  receive(text);
  socket.write(requestOf(next));
  return '';
}

/** Resolves once it has asked; a stream, once it has begun. */
function follow(since: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(requestOf(since));
      if (!isStream) resolve();
    });
    socket.setEncoding('latin1');
    socket.on('error', reject).on('data', (chunk) => {
      text += chunk;
      if (text.startsWith('HTTP/') && !text.startsWith('HTTP/1.1 200')) throw new Error(text);
      text = read(socket, text);
      resolve();
    });
  });
}

const answer = await fetch(`${url}/changes?since=now`, { headers: { authorization } });
const { next } = (await answer.json()) as { next: string };
for (let at = 0; at < count; at += connectedAtOnce)
  await Promise.all(Array.from({ length: Math.min(connectedAtOnce, count - at) }, () => follow(next)));
process.send?.('ready');
