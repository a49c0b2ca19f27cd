/** The first floor: Koa and its router, which serve the same bytes from memory, without authentication and log. */
import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import Koa from 'koa';
import { announce } from './announce.ts';

const one = readFileSync(process.env.BENCH_ONE ?? '', 'utf8');
const list = readFileSync(process.env.BENCH_LIST ?? '', 'utf8');

const router = new Router();
router.get('/users', (ctx) => {
  ctx.set('Content-Type', 'application/json');
  ctx.body = list;
});
router.get('/users/:id', (ctx) => {
  ctx.set('Content-Type', 'application/json');
  ctx.body = one;
});

const app = new Koa();
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => announce(server));
