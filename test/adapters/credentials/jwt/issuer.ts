import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IssuerKey } from './tokens.ts';

/** An issuer's key set over HTTP. */
export class Issuer {
  keys: IssuerKey[] = [];
  fetches = 0;
  /** Set: what it answers in place of the keys. */
  status = 200;
  body: string | undefined;
  /** Set: it doesn't answer. */
  silent = false;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      request.resume();
      this.fetches += 1;
      if (this.silent) return;
      const keys = this.keys.map(({ jwk }) => jwk);
      response.writeHead(this.status, { 'Content-Type': 'application/json', Location: '/elsewhere' });
      response.end(this.body ?? JSON.stringify({ keys }));
    });
  }

  async start(): Promise<URL> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/jwks?secret=x`);
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
