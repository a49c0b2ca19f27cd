/** usage: TOKEN=… node example.js BASE_URL, on a service without users. */
import createClient from 'openapi-fetch';
import type { paths } from '../build/service.ts';
import { expect } from './expect.ts';

const [, , url = ''] = process.argv;
const token = process.env.TOKEN ?? '';

// docs/clients.md
const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
const api = createClient<paths>({ baseUrl: url, headers });

const ada = { userName: 'ada', title: 'Analyst', roles: ['engineer'] };
const { data: user, error, response } = await api.POST('/users', { body: ada });
if (user === undefined) throw new Error(`${error?.status} ${error?.detail}`);
const tag = response.headers.get('ETag') ?? '';

const query = { role: 'engineer', limit: 1, total: true } as const;
const page = await api.GET('/users', { params: { query } });
const next = /[?&]after=([^&>]+)[^>]*>; rel="next"/.exec(page.response.headers.get('Link') ?? '')?.[1];
console.log(
  `${page.data?.users.length} of ${page.data?.total}, ${next ? `more with after: '${next}'` : 'no more'}`,
);

const path = { id: user.id };
const replace = { params: { path, header: { 'If-Match': tag } }, body: { ...user, title: 'Countess' } };
const replaced = await api.PUT('/users/{id}', replace);
const patched = await api.PATCH('/users/{id}', { params: { path }, body: { displayName: 'Ada Lovelace' } });

const late = await api.PUT('/users/{id}', replace);
if (late.error) console.log(late.error.status, late.error.detail);
// end

expect('the title', replaced.data?.title, 'Countess');
expect('the name', patched.data?.displayName, 'Ada Lovelace');
