/** What the service is measured against: Koa and its router with the same bytes in memory, and nothing else. */
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';

const body = process.env.BENCH_BODY ?? '';
const type = process.env.BENCH_TYPE ?? '';
const router = new Router();
router.get('/users/:id', (ctx) => {
  ctx.set('Content-Type', type);
  ctx.body = body;
});

const app = new Koa();
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => {
  process.stderr.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/users\n`);
});
