/** A TCP proxy that misbehaves between the driver and a server. */
import { subscribe } from 'node:diagnostics_channel';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

export type Fault =
  /** The request never arrives, and the connection breaks. */
  | 'lost'
  /** The request arrives, and the connection breaks in the middle of the reply. */
  | 'cut'
  /** The request arrives, and nothing comes back: the client's time-out for an answer is over as soon as there would be one. */
  | 'silent'
  /** The request arrives, and nothing comes back; the time-out is over when `timeOut` is called. */
  | 'held'
  /** The reply comes in pieces. */
  | 'slow'
  /** Of a request that is larger than what the system holds, the rest is never taken: the client's time-out is over at once. */
  | 'stuck'
  /** The connection is reset while the rest of such a request waits to be taken. */
  | 'torn';

/** Says what happens to a request, given its bytes as Latin-1; undefined leaves it alone. */
type Rule = (request: string) => Fault | undefined;

/** The sockets by which this process is a client. */
const clients = new Set<Socket>();
subscribe('net.client.socket', (message) => {
  const { socket } = message as { readonly socket: Socket };
  clients.add(socket);
  socket.once('close', () => clients.delete(socket));
});

/** As Node does when a socket has been idle for its time-out: so no test depends on how long that takes. */
function timeOutClientOf({ remotePort }: Socket): void {
  for (const client of clients) if (client.localPort === remotePort) client.emit('timeout');
}

export class FaultyProxy {
  rule: Rule = () => undefined;
  /** What the client gets in place of a reply; changes no length. */
  edit: (reply: Buffer) => Buffer = (reply) => reply;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  /** Those to the driver. */
  readonly #nearSockets = new Set<Socket>();
  readonly #held: Socket[] = [];
  #server: Server | undefined;
  #port = 0;

  /** @param target `host:port` */
  constructor(target: string) {
    const { hostname, port } = new URL(`tcp://${target}`);
    this.#target = { host: hostname, port: Number(port) };
  }

  get port(): number {
    return this.#port;
  }

  /** Takes connections, from the second time on at the port of the first. */
  async open(): Promise<void> {
    const server = createServer((near) => this.#join(near));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  /** Breaks every connection and refuses new ones. */
  async shut(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Ends every connection as a server does that stops. */
  endConnections(): void {
    for (const socket of this.#nearSockets) socket.end();
  }

  /** Ends the waiting of clients whose requests are held. */
  timeOut(): void {
    for (const near of this.#held.splice(0)) timeOutClientOf(near);
  }

  #join(near: Socket): void {
    const far = dial(this.#target);
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    this.#nearSockets.add(near);
    near.on('close', () => this.#nearSockets.delete(near));
    let fault: Fault | undefined;
    // The bytes stay in order: of a length made of two replies' bytes the driver could loop for ever.
    let trickled = Promise.resolve();
    near.on('data', (request) => {
      fault = this.rule(request.toString('latin1'));
      if (fault === 'lost') end();
      else if (fault === 'stuck') {
        near.pause();
        setImmediate(() => timeOutClientOf(near));
      } else if (fault === 'torn') {
        near.pause();
        setImmediate(() => near.resetAndDestroy());
      } else far.write(request);
    });
    far.on('data', (reply) => {
      if (fault === undefined) trickled = trickled.then(() => void near.write(this.edit(reply)));
      else if (fault === 'cut') near.write(reply.subarray(0, reply.length / 2), end);
      else if (fault === 'silent') timeOutClientOf(near);
      else if (fault === 'held') this.#held.push(near);
      else if (fault === 'slow') trickled = trickled.then(() => trickle(near, reply));
    });
  }
}

async function trickle(to: Socket, reply: Buffer): Promise<void> {
  for (let at = 0; at < reply.length && !to.destroyed; at += 16) {
    to.write(reply.subarray(at, at + 16));
    await turn();
  }
}
