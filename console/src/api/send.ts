/** Sends every request of the console, with the credentials of the signed-in person. */
import { authorizationOf } from '../session/credentials.ts';
import { expire, sessionState } from '../session/session.ts';
import { sessionEnd } from '../session/unfinished.ts';

/** In milliseconds: the service itself gives up sooner. */
const patience = 30_000;

/**
 * A request whose credentials are refused (401) has had no effect: it waits until the same person has signed in again, and is sent
 * once more. It ends with the session.
 * @throws TypeError when nothing answers; DOMException TimeoutError, AbortError at the session's end, or the signal's reason
 */
export async function send(
  url: string,
  ends: AbortSignal | undefined,
  { headers, ...init }: RequestInit,
): Promise<Response> {
  const signal = AbortSignal.any(ends ? [ends, sessionEnd] : [sessionEnd]);
  for (;;) {
    const state = await sessionState.until(({ status }) => status === 'signed-in', signal);
    if (!('session' in state)) throw new Error('nobody is signed in');
    const response = await fetch(url, {
      ...init,
      // Without this the browser would ask for a name and a password itself.
      credentials: 'omit',
      headers: { ...headers, Authorization: authorizationOf(state.session.credentials) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    });
    if (response.status !== 401) return response;
    expire(state.session);
  }
}
