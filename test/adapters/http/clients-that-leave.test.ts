import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { bearerAuthenticator } from '../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../src/adapters/credentials/jwt/authenticator.ts';
import type { Store } from '../../../src/domain/store.ts';
import { deadline } from '../../support/deadlines.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { open } from '../../support/sockets.ts';
import { memoryStore, openSqliteStore, overridden, portOf } from '../../support/stores.ts';

const issuer = 'https://issuer.example';

describe('A client', () => {
  let service: TestService | undefined;
  let issuers: Server | undefined;
  afterEach(async () => {
    await service?.close();
    issuers?.close();
    [service, issuers] = [undefined, undefined];
  });

  it('that asks for a tunnel and resets the connection affects nothing else', async () => {
    service = await startService();
    for (let round = 0; round < 20; round += 1) {
      const client = await open(service.url, 'CONNECT here:1 HTTP/1.1\r\nHost: here:1\r\n\r\n');
      if (round % 2 === 0) await client.got(/ 405 /);
      client.socket.resetAndDestroy();
      await client.ended;
    }
    expect((await service.send('/users')).status).to.equal(200);
  });

  it('that keeps sending is not read while its answer is being made', async () => {
    const store = memoryStore();
    const list = store.list.bind(store);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    store.list = async (query) => {
      await held;
      return list(query);
    };
    service = await startService({}, store);
    const head = `GET /users HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${await aToken()}\r\n\r\n`;
    const client = await open(service.url, head);
    const mebibyte = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 64; count += 1) client.socket.write(mebibyte);
    for (let round = 0; round < 50; round += 1)
      expect((await service.send('/health/live')).status).to.equal(204);
    // Only the bytes in the system's own buffers have left.
    expect(client.socket.writableLength).to.be.above(32 * 1024 * 1024);
    letGo();
    expect(await client.got(/ 400 /)).to.match(/ 200 .* 400 /s);
    client.socket.destroy();
  });

  it('that leaves before its token is checked causes no fault in the log', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    let waiting: (response: ServerResponse) => void = () => undefined;
    const asked = new Promise<ServerResponse>((resolve) => {
      waiting = resolve;
    });
    issuers = createServer((_request, response) => waiting(response)).listen(0, '127.0.0.1');
    await once(issuers, 'listening');
    const jwksUrl = new URL(`http://127.0.0.1:${(issuers.address() as AddressInfo).port}/keys`);
    const options = {
      issuer,
      audience: 'users',
      algorithms: ['RS256'],
      typ: 'at+jwt',
      leewaySeconds: 0,
    } as const;
    const authenticator = bearerAuthenticator(
      jwtTokens(
        { ...options, keys: { jwksUrl, maxAgeSeconds: 600, timeout: deadline } },
        { now: () => new Date() },
      ),
    );
    service = await startService({}, memoryStore(), [authenticator]);
    const token = await new SignJWT({ scope: 'users:write' })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience('users')
      .setExpirationTime('1h')
      .sign(privateKey);
    const head = `POST /users HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const client = await open(service.url, `${head}Content-Length: 20\r\n\r\n{`);
    const keys = await asked;
    client.socket.resetAndDestroy();
    await service.logged('"whole":false');
    keys.end(JSON.stringify({ keys: [await exportJWK(publicKey)] }));
    const authorization = `Bearer ${token}`;
    expect((await service.send('/users', { headers: { authorization } })).status).to.equal(200);
    expect(service.log.filter((line) => line.includes('"level":50'))).to.deep.equal([]);
  });
});

describe('A client that leaves before its answer', () => {
  let service: TestService | undefined;
  let store: Store | undefined;
  let folder: string | undefined;
  let letGo: () => void = () => undefined;
  afterEach(async () => {
    letGo();
    await service?.close();
    await store?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
    [service, store, folder] = [undefined, undefined, undefined];
  });

  it('causes no fault in the log while its search waits for a place', async () => {
    folder = mkdtempSync(join(tmpdir(), 'users-left-'));
    const onFatal = (cause: unknown) => expect.fail(String(cause));
    const opened = portOf(await openSqliteStore({ file: join(folder, 'users.db'), onFatal }));
    store = opened;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const page: Store['page'] = async (...asked) => {
      await held;
      return opened.page(...asked);
    };
    service = await startService({}, overridden(opened, { page }));
    const head = `GET /users?search=a HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${await aToken()}\r\n\r\n`;
    const client = await open(service.url, head);
    expect((await service.send('/health/live')).status).to.equal(204);
    client.socket.resetAndDestroy();
    await service.logged('"whole":false');
    letGo();
    expect((await service.send('/users?search=a')).status).to.equal(200);
    expect(service.log.filter((line) => line.includes('"level":50'))).to.deep.equal([]);
  });

  it('has no status in the log', async () => {
    service = await startService();
    const head = `POST /users HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${await aToken()}\r\n`;
    const fields = 'Content-Type: application/json\r\nContent-Length: 20\r\nExpect: 100-continue\r\n\r\n';
    const client = await open(service.url, head + fields);
    await client.got(/ 100 Continue/);
    client.socket.resetAndDestroy();
    await service.logged('"route":"/users"');
    const line = JSON.parse(service.log.find((text) => text.includes('"route":"/users"')) ?? '{}');
    expect(line).to.include({ method: 'POST', whole: false }).and.not.to.have.property('status');
  });
});
