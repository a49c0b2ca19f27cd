/** Makes a session from credentials, or explains why the service refuses them. */

import { explainDetail } from '../explain-detail.ts';
import type { Words } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';
import { authorizationOf, type Credentials, nameOf } from './credentials.ts';
import { findScopes, RefusedCredentials } from './scopes.ts';
import { sessionState, signIn } from './session.ts';

function explainRefusal(error: unknown, { kind }: Credentials): Words {
  if (error instanceof RefusedCredentials) {
    const reason = explainDetail(error.message) || texts.session.noReason;
    const text = kind === 'provider' ? texts.session.tellAdministrators(reason) : reason;
    return { title: texts.session.refused[kind], text };
  }
  if (!navigator.onLine) return { title: texts.session.offline, text: texts.session.offlineText };
  return { title: texts.session.failed, text: texts.session.failedText };
}

/**
 * Does nothing if the session has changed before the service answers: a person who has signed out stays signed out.
 * @param name empty: the name in the credentials @returns why the credentials were refused; undefined after a success
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
