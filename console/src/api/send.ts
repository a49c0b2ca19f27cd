/** Sends every request of the console, with the credentials of whoever is signed in. */
import { authorizationOf } from '../session/credentials.ts';
import { expire, sessionState } from '../session/session.ts';

/** In milliseconds: the service itself gives up sooner. */
const patience = 30_000;

/**
 * A request whose credentials are refused (401) has had no effect: it waits until somebody has signed in again, and is sent once more.
 * @throws TypeError when nothing answers; DOMException TimeoutError, or the signal's reason
 */
export async function send(request: Request): Promise<Response> {
  for (;;) {
    const state = await sessionState.until(({ status }) => status === 'signed-in', request.signal);
    if (state.status === 'signed-out') throw new Error('nobody is signed in');
    const attempt = new Request(request.clone(), {
      // Without this the browser would ask for a name and a password itself.
      credentials: 'omit',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(patience)]),
    });
    attempt.headers.set('Authorization', authorizationOf(state.session.credentials));
    const response = await fetch(attempt);
    if (response.status !== 401) return response;
    expire(state.session);
  }
}
