/** Makes a session from credentials, or explains why the service refuses them. */

import type { components } from '../contract.ts';
import { explainDetail } from '../explain-detail.ts';
import type { Words } from '../parts/notice.tsx';
import { urlOf } from '../root.ts';
import { texts } from '../texts/texts.ts';
import { authorizationOf, type Credentials, nameOf } from './credentials.ts';
import { type Scope, scopes } from './scopes.ts';
import { sessionState, signIn } from './session.ts';

/** Its message is the service's reason, or empty. */
class RefusedCredentials extends Error {}

/** Asks the service, since API keys do not contain them. @throws as `fetch`; Error when the service cannot say now */
async function readScopes(authorization: string): Promise<readonly Scope[]> {
  const headers = { Authorization: authorization, Accept: 'application/json' };
  const response = await fetch(urlOf('access'), { headers, credentials: 'omit' });
  if (response.status === 401) {
    // A gateway's own page is no problem document.
    const problem: { readonly detail?: string } = await response.json().catch(() => ({}));
    throw new RefusedCredentials(problem.detail);
  }
  if (!response.ok) throw new Error(`the service answers ${response.status}`);
  const access: components['schemas']['Access'] = await response.json();
  return scopes.filter((scope) => access.scopes.includes(scope));
}

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
    const held = await readScopes(authorizationOf(credentials));
    if (sessionState.value !== before) return undefined;
    signIn({ credentials, name: name === '' ? nameOf(credentials) : name, scopes: held });
    return undefined;
  } catch (error) {
    return explainRefusal(error, credentials);
  }
}
