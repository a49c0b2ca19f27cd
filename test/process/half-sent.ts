/** A request that is in flight for as long as a test wants it to be. */
import { once } from 'node:events';
import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Process } from '../support/process.ts';

const body = JSON.stringify({ userName: 'grace', displayName: 'Grace Hopper' });
const half = body.length / 2;

/** A POST that the service has begun to handle (it said 100 Continue) and has half the body of. */
export async function sendHalf(service: Process, agent: Agent): Promise<ClientRequest> {
  const post = request(`${service.url}/users`, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${await service.token()}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  post.flushHeaders();
  await once(post, 'continue');
  post.write(body.slice(0, half));
  return post;
}

/** Sends the other half; resolves with the answer's head. */
export async function sendRest(post: ClientRequest): Promise<IncomingMessage> {
  const answered = once(post, 'response');
  post.end(body.slice(half));
  return (await answered)[0];
}
