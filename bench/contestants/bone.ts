/**
 * The second floor, the minimal Koa baseline: Koa, its router, and the indispensable parts of the service: its authenticator, its store and a
 * line in the log. Without scopes, negotiation, conditional requests and further header fields.
 */
import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import Koa from 'koa';
import { pino } from 'pino';
import { authenticatorsOf } from '../../src/config/authentication.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { openSqliteStore } from '../../test/support/stores.ts';
import { announce } from './announce.ts';

const settings = await loadSettings();
const log = pino({ level: 'info' }, pino.destination({ fd: 1, sync: true }));
const authenticators = authenticatorsOf(
  settings,
  { now: () => new Date() },
  { onProblem: (problem) => log.error(problem) },
);
const store = await openSqliteStore({
  file: settings.sqlite.file,
  onFatal: (cause) => {
    throw cause;
  },
});

const router = new Router();
router.get('/users/:id', async (ctx) => {
  const start = performance.now();
  const id = randomUUID();
  ctx.res.once('close', () => {
    const ms = Math.round((performance.now() - start) * 1000) / 1000;
    const { statusCode: status, writableFinished: whole } = ctx.res;
    log.info({ id, method: ctx.method, route: '/users/:id', status, ms, whole }, 'request');
  });
  const [scheme, value = ''] = ctx.get('Authorization').split(' ');
  const authenticator = authenticators.find((one) => one.scheme === scheme);
  if (authenticator === undefined) ctx.throw(401);
  await authenticator?.authenticate(value);
  const user = await store.find(ctx.params.id ?? '');
  if (user === undefined) ctx.throw(404);
  ctx.set('Content-Type', 'application/json');
  ctx.body = user?.text ?? '';
});

const app = new Koa();
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => announce(server));
