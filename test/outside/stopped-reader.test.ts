import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { aUser } from '../support/a-user.ts';
import { aToken, type ServiceSettings, startService, type TestService } from '../support/service.ts';
import { memoryStore } from '../support/stores.ts';
import { needed } from './tools.ts';

/** Reads a little, waits until its input ends, then reads on and says how it ended. Node takes a reset met while it pauses for an end. */
const reader = `
import socket, sys
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
connection.sendall(sys.argv[3].encode())
connection.recv(1000)
print("reading", flush=True)
sys.stdin.read()
try:
  while connection.recv(65536): pass
  print("closed in order")
except ConnectionResetError:
  print("reset")
`;

import { Stored } from '../../src/domain/resource/stored.ts';

/** For a client of HTTP/1.0, the end of the connection ends the list: this client stops reading, and continues later. */
async function stopped(
  python: string,
  settings: Partial<ServiceSettings>,
  cut: (service: TestService) => unknown,
) {
  const store = memoryStore();
  // More than the buffers on the way can hold.
  const attributes = { filler: 'x'.repeat(1000) };
  for (let at = 0; at < 20_000; at += 1) await store.insert(Stored.of(aUser({ attributes })));
  const service = await startService(settings, store);
  const { hostname, port } = new URL(service.url);
  const request = `GET /users HTTP/1.0\r\nAuthorization: Bearer ${await aToken()}\r\n\r\n`;
  const client = spawn(python, ['-c', reader, hostname, port, request], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let told = '';
  client.stdout.setEncoding('utf8').on('data', (piece: string) => {
    told += piece;
  });
  const closed = once(client, 'close');
  await once(client.stdout, 'data');
  await cut(service);
  await service.logged('"whole":false');
  client.stdin.end();
  await closed;
  await service.close();
  return told.trim().split('\n');
}

describe('A client that stops reading in the middle of a list', () => {
  // Long enough for a busy machine to begin the response: a connection that stalls before it is closed in order.
  const connections = { max: 10, maxHeaderSize: 16_384, maxHeaderFields: 100, maxStall: 5_000 };
  const cuts: Readonly<
    Record<string, readonly [Partial<ServiceSettings>, (service: TestService) => unknown]>
  > = {
    'when it has made no progress for long': [{ connections }, () => undefined],
    'when the service has to end': [{}, (service) => service.close()],
  };
  for (const [when, [settings, cut]] of Object.entries(cuts)) {
    it(`is cut off ${when} by a reset, so that its list does not end as if complete`, async function () {
      expect(await stopped(needed(this, 'python3'), settings, cut)).to.deep.equal(['reading', 'reset']);
    });
  }
});
