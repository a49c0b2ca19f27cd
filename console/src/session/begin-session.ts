/** From credentials to a session, and what is said where the service doesn't take them. */
import { authorizationOf, type Credentials, nameOf } from './credentials.ts';
import { findScopes, RefusedCredentials } from './scopes.ts';
import { signIn } from './session.ts';

function explainRefusal(error: unknown, { kind }: Credentials): string {
  if (error instanceof RefusedCredentials)
    return kind === 'provider'
      ? 'Your provider has signed you in, but the service does not take its token: its issuer, audience or type is not the one that the service was set up for.'
      : 'The service does not take these credentials: they are wrong, withdrawn or expired, or of a kind that it was not set up for.';
  if (!navigator.onLine) return 'You are offline. Try again when the connection is back.';
  return 'The service does not answer as it should right now. Try again in a moment.';
}

/** @param name empty: what the credentials say @returns why it was refused; undefined when it wasn't */
export async function beginSession(credentials: Credentials, name = ''): Promise<string | undefined> {
  try {
    const scopes = await findScopes(authorizationOf(credentials));
    signIn({ credentials, name: name === '' ? nameOf(credentials) : name, scopes });
    return undefined;
  } catch (error) {
    return explainRefusal(error, credentials);
  }
}
