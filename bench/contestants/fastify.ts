/**
 * The same API by Fastify in its usual way: fast-jwt, better-sqlite3, @fastify/etag, validation and printing from a JSON schema,
 * pino. JSON only; without patches, filters, dates, problems and formats, which its users would have to add.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import etag from '@fastify/etag';
import { Ajv2019, type AnySchema } from 'ajv/dist/2019.js';
import formats from 'ajv-formats';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { loadSettings } from '../../src/config/settings.ts';
import { User, type UserInput, UserInput as UserInputSchema } from '../../src/domain/kinds/user/user.ts';
import { announce } from './announce.ts';
import { createCredentialCheck } from './fastify-credentials.ts';
import { openUsers } from './fastify-store.ts';

const settings = await loadSettings();
const check = createCredentialCheck(settings);
const users = openUsers(settings.sqlite.file);
const log = pino({ level: 'info' }, pino.destination({ fd: 1, sync: true }));

const app = fastify({
  disableRequestLogging: true,
  genReqId: () => randomUUID(),
});
await app.register(etag);
// Fastify's own Ajv is for draft 7, which has no minContains.
const ajv = formats.default(new Ajv2019({ strict: false }));
app.setValidatorCompiler(({ schema }) => ajv.compile(schema as AnySchema));

app.addHook('onResponse', async (request, reply) => {
  const { id, method } = request;
  const ms = Math.round(reply.elapsedTime * 1000) / 1000;
  const { statusCode: status, writableFinished: whole } = reply.raw;
  log.info({ id, method, route: request.routeOptions.url, status, ms, whole }, 'request');
});

const requireScope = (scope: string) => async (request: FastifyRequest, reply: FastifyReply) => {
  const scopes = check(request.headers.authorization ?? '');
  if (scopes === undefined) return reply.code(401).header('www-authenticate', 'Bearer').send();
  return scopes.includes(scope) ? undefined : reply.code(403).send();
};
const reads = requireScope('users:read');
const writes = requireScope('users:write');

const sendUser = (reply: FastifyReply, user: User) =>
  reply
    .header('cache-control', 'private, no-cache')
    .header('last-modified', new Date(user.meta.lastModified).toUTCString())
    .send(user);

const makeVersion = () => randomBytes(16).toString('base64url');

interface One {
  readonly Params: { readonly id: string };
}

app.get<One>(
  '/users/:id',
  { onRequest: reads, schema: { response: { 200: User } } },
  async (request, reply) => {
    const user = users.find(request.params.id);
    return user === undefined ? reply.code(404).send() : sendUser(reply, user);
  },
);

const listSchema = { type: 'object', properties: { users: { type: 'array', items: User } } };
const querySchema = {
  type: 'object',
  properties: { limit: { type: 'string', pattern: '^[0-9]{1,4}$' }, after: { type: 'string' } },
};
app.get<{ Querystring: { limit?: string; after?: string } }>(
  '/users',
  { onRequest: reads, schema: { querystring: querySchema, response: { 200: listSchema } } },
  async (request, reply) => {
    const { limit = '100', after = '' } = request.query;
    const page = users.list(after, Number(limit) + 1);
    const last = page.length > Number(limit) ? page.at(-2) : undefined;
    if (last !== undefined) reply.header('link', `</users?limit=${limit}&after=${last.id}>; rel="next"`);
    return reply.header('cache-control', 'private, no-cache').send({ users: page.slice(0, Number(limit)) });
  },
);

app.post<{ Body: UserInput }>(
  '/users',
  { onRequest: writes, schema: { body: UserInputSchema, response: { 201: User } } },
  async (request, reply) => {
    const now = new Date().toISOString();
    const meta = { created: now, lastModified: now, version: makeVersion() };
    const user: User = { active: true, ...request.body, id: request.body.id ?? v7(), meta };
    users.insert(user);
    return sendUser(reply.code(201).header('location', `/users/${user.id}`), user);
  },
);

app.put<One & { Body: UserInput }>(
  '/users/:id',
  { onRequest: writes, schema: { body: UserInputSchema, response: { 200: User } } },
  async (request, reply) => {
    const user = users.replace(request.params.id, (current) => ({
      active: current.active,
      ...request.body,
      id: current.id,
      meta: { ...current.meta, lastModified: new Date().toISOString(), version: makeVersion() },
    }));
    return user === undefined ? reply.code(404).send() : sendUser(reply, user);
  },
);

await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server);
