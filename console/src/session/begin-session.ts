/** From credentials to a session, and what is said where the service doesn't take them. */
import type { Words } from '../parts/notice.tsx';
import { authorizationOf, type Credentials, nameOf } from './credentials.ts';
import { findScopes, RefusedCredentials } from './scopes.ts';
import { sessionState, signIn } from './session.ts';

/** @param reason the service's own */
const refused: Readonly<Record<Credentials['kind'], (reason: string) => Words>> = {
  key: (text) => ({ title: 'The service does not take this key', text }),
  token: (text) => ({ title: 'The service does not take this token', text }),
  provider: (reason) => ({
    title: 'The service does not take your provider’s token',
    text: `You are signed in there. Tell the administrators of this service: ${reason}`,
  }),
};

function explainRefusal(error: unknown, { kind }: Credentials): Words {
  if (error instanceof RefusedCredentials) return refused[kind](error.message || 'It gives no reason.');
  if (!navigator.onLine) return { title: 'You are offline', text: 'Try again when the connection is back.' };
  return { title: 'The service does not answer as it should', text: 'Try again in a moment.' };
}

/**
 * Does nothing when the session has changed before the service answers: a person who has signed out stays signed out.
 * @param name empty: what the credentials say @returns why it was refused; undefined when it wasn't
 */
export async function beginSession(credentials: Credentials, name = ''): Promise<Words | undefined> {
  const before = sessionState.value;
  try {
    const scopes = await findScopes(authorizationOf(credentials));
    if (sessionState.value !== before) return undefined;
    signIn({ credentials, name: name === '' ? nameOf(credentials) : name, scopes });
    return undefined;
  } catch (error) {
    return explainRefusal(error, credentials);
  }
}
