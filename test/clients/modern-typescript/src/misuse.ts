/** What must not compile. A line here that does is an error: the document has come to say too little. */
import type { Client } from 'openapi-fetch';
import type { components, paths } from '../build/service.ts';
import { type Answer, fieldsOf } from './answer.ts';

type User = components['schemas']['User'];
type UserInput = components['schemas']['UserInput'];
type UserPatch = components['schemas']['UserPatch'];
type Unlike = NonNullable<Awaited<ReturnType<typeof read>>['error']>;

const read = (service: Client<paths>, id: string) => service.GET('/users/{id}', { params: { path: { id } } });

export async function requests(service: Client<paths>): Promise<void> {
  const path = { id: '00000000-0000-7000-8000-000000000000' };
  const body = { userName: 'ada' };
  // @ts-expect-error: no such path
  await service.GET('/user');
  // @ts-expect-error: no such method
  await service.PUT('/users', { body });
  // @ts-expect-error: no id in the path
  await service.GET('/users/{id}', {});
  // @ts-expect-error: no such filter
  await service.GET('/users', { params: { query: { name: 'ada' } } });
  // @ts-expect-error: a limit is a number
  await service.GET('/users', { params: { query: { limit: 'ten' } } });
  // @ts-expect-error: nothing to write
  await service.PUT('/users/{id}', { params: { path } });
  // @ts-expect-error: without a userName
  await service.POST('/users', { body: { nickName: 'ada' } });
}

/** Made separately, since openapi-fetch allows unknown members in a literal inside a request. */
export function bodies(): (UserInput | UserPatch)[] {
  const userName = 'ada';
  // @ts-expect-error: a userName can't be nothing
  const nameless: UserInput = { userName: null };
  // @ts-expect-error: no such member
  const misspelt: UserInput = { userName, nickname: 'ada' };
  // @ts-expect-error: active is no text
  const text: UserInput = { userName, active: 'true' };
  // @ts-expect-error: emails are a list
  const single: UserInput = { userName, emails: 'ada@example.com' };
  // @ts-expect-error: an email is an object
  const bare: UserInput = { userName, emails: ['ada@example.com'] };
  // @ts-expect-error: an email without its value
  const hollow: UserInput = { userName, emails: [{ type: 'work' }] };
  // @ts-expect-error: no such member of an email
  const extended: UserInput = { userName, emails: [{ value: 'ada@example.com', verified: true }] };
  // @ts-expect-error: an attribute is a text
  const number: UserInput = { userName, attributes: { costCenter: 42 } };
  // @ts-expect-error: a manager is an object
  const manager: UserInput = { userName, enterprise: { manager: 'babbage' } };
  // @ts-expect-error: a patch knows no other members
  const patch: UserPatch = { nickname: '' };
  return [nameless, misspelt, text, single, bare, hollow, extended, number, manager, patch];
}

export function answers(user: User, problem: Unlike, response: Response): unknown[] {
  const fields = fieldsOf<Answer<'listUsers', 200>>(response);
  return [
    // @ts-expect-error: it need not be there
    user.nickName.length,
    // @ts-expect-error: a list that need not be there
    user.emails.length,
    // @ts-expect-error: nor need the manager, in what need not be there
    user.enterprise?.manager.value,
    // @ts-expect-error: a time is text
    user.meta.created.getTime(),
    // @ts-expect-error: no such member
    user.password,
    // @ts-expect-error: mistakes need not be there
    problem.errors.length,
    // @ts-expect-error: not on the last page
    fields.always('Link'),
    // @ts-expect-error: no such field
    fields.sometimes('Location'),
  ];
}
