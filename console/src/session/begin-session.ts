/** Makes a session from credentials, or explains why the service refuses them. */

import { explainDetail } from '../explain-detail.ts';
import type { Words } from '../parts/notice.tsx';
import { readMeta, urlOf } from '../root.ts';
import { texts } from '../texts/texts.ts';
import { authorizationOf, type Credentials, nameOf } from './credentials.ts';
import { type Access, usableScopes } from './scopes.ts';
import { sessionState, signIn } from './session.ts';

/** Its message is the service's reason, or empty. */
class RefusedCredentials extends Error {}

/** Asks the service, since API keys do not contain their scopes. @throws as `fetch`; Error when the service cannot say now */
async function readAccess(authorization: string): Promise<Access> {
  const headers = { Authorization: authorization, Accept: 'application/json' };
  const response = await fetch(urlOf('access'), { headers, credentials: 'omit' });
  if (response.status === 401) {
    // A gateway's own page is no problem document.
    const problem: { readonly detail?: string } = await response.json().catch(() => ({}));
    throw new RefusedCredentials(problem.detail);
  }
  if (!response.ok) throw new Error(`the service answers ${response.status}`);
  return await response.json();
}

function explainRefusal(error: unknown, { kind }: Credentials): Words {
  if (error instanceof RefusedCredentials) {
    const reason = explainDetail(error.message) || texts.session.noReason;
    const text = kind === 'provider' ? texts.session.tellAdministrators(reason) : reason;
    return { title: texts.session.refused[kind], text };
  }
  if (!navigator.onLine) return { title: texts.failures.offline, text: texts.session.offlineText };
  return { title: texts.session.failed, text: texts.session.failedText };
}

/**
 * Does nothing if the session has changed before the service answers: a person who has signed out stays signed out.
 * @param name empty: the name in the credentials @returns why the credentials were refused; undefined after a success
 */
export async function beginSession(credentials: Credentials, name = ''): Promise<Words | undefined> {
  const before = sessionState.value;
  try {
    const access = await readAccess(authorizationOf(credentials));
    if (sessionState.value !== before) return undefined;
    const { profile } = access;
    const contract = access.contract === readMeta('contract') ? undefined : access.contract;
    const scopes = usableScopes(access);
    signIn({ credentials, name: name === '' ? nameOf(credentials) : name, scopes, profile, contract });
    return undefined;
  } catch (error) {
    return explainRefusal(error, credentials);
  }
}
