import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { discardProcesses, startProcess } from '../support/process.ts';
import { sumOf } from '../support/prometheus-text.ts';
import { duration, post, send, startWatched, statusOf, type Watched } from './watched-metrics.ts';

describe('Metrics', () => {
  afterEach(discardProcesses);

  it('are off unless their port is set', async () => {
    const service = await startProcess();
    expect((await fetch(`${service.url}/metrics`)).status).to.equal(401);
    expect(service.log.join()).not.to.contain('metrics');
  });
});

describe('Metrics of one process', () => {
  let watched: Watched;
  before(async () => {
    watched = await startWatched();
  });
  after(discardProcesses);

  it('include the SQLite file, memory and the event loop', async () => {
    const { service, samples } = watched;
    expect(await post(service, 'ada')).to.equal(201);
    const all = await samples();
    expect(sumOf(all, 'users_sqlite_file_bytes')).to.be.above(4095);
    expect(sumOf(all, 'users_sqlite_log_bytes')).to.be.above(4095);
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
    ])
      expect(
        all.map((sample) => sample.name),
        name,
      ).to.include(name);
  });

  it('cannot be read on loopback by a web page under another host name', async () => {
    const { url } = watched;
    for (const host of [
      '127.0.0.1:9464',
      '127.0.0.1',
      '[::1]:9464',
      '192.0.2.1',
      'localhost',
      'LOCALHOST:9464',
    ])
      expect(await statusOf(url, host), host).to.equal(200);
    for (const host of [
      'rebound.example',
      'rebound.example:9464',
      'localhost.example',
      '127.0.0.1.example',
      '[::1',
    ])
      expect(await statusOf(url, host), host).to.equal(421);
  });

  it('are served for GET and HEAD of /metrics only', async () => {
    const { url } = watched;
    const got = await fetch(url);
    expect(got.headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    const posted = await fetch(url, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    for (const path of ['/', '/metric', '/users', '/metrics/']) {
      const other = await fetch(new URL(path, url));
      expect(other.status, path).to.equal(404);
    }
    expect((await fetch(`${url}?x=1`)).status).to.equal(200);
  });

  it('are not delayed by clients that send slowly or do not read', async () => {
    const { service, url, samples, samplesAfter } = watched;
    const before = sumOf(await samples(), duration);
    const { port } = new URL(url);
    const sockets = Array.from({ length: 20 }, (_, at) => {
      const socket = connect(Number(port), '127.0.0.1').pause();
      socket.on('error', () => {});
      socket.write(at % 2 === 0 ? 'GET /metr' : 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
      return socket;
    });
    await send(service, 20);
    expect(sumOf(await samplesAfter(before + 20), duration)).to.equal(before + 20);
    for (const socket of sockets) socket.destroy();
  });

  it('are served once per connection, so that pipelined requests do not each hold a response', async () => {
    const { url } = watched;
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
    expect((await text(socket)).match(/HTTP\/1\.1 200 OK/g)).to.have.lengthOf(1);
  });
});
