/** Handles the return of the browser from the provider. */
import { returnTo } from '../address/navigation.tsx';
import type { Words } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';
import { beginSession } from './begin-session.ts';
import type { ProviderRefusal } from './open-id.ts';
import { dropPending, type Pending, provider, readPending } from './provider.ts';
import { sessionState } from './session.ts';

const notSignedIn = (text: string): Words => ({ title: texts.session.notSignedIn, text });
const otherTab = notSignedIn(texts.session.otherTab);
const notOurs = notSignedIn(texts.session.notOurs);

/** The provider's own words, unless there are plainer ones for an error of OAuth 2.0. */
const quote = ({ error, error_description: told = error }: ProviderRefusal): Words =>
  notSignedIn(error === 'access_denied' ? texts.session.denied : texts.session.providerSays(told));

async function redeem(pending: Pending, parameters: URLSearchParams): Promise<Words | undefined> {
  if (provider === undefined) return notOurs;
  const { redeemCode, refusalIn } = await import('./open-id.ts');
  try {
    const { credentials, name } = await redeemCode(provider, pending, parameters);
    return await beginSession(credentials, name);
  } catch (error) {
    const refusal = refusalIn(error);
    return refusal === undefined ? notOurs : quote(refusal);
  }
}

/**
 * Anyone can make a link to the console that looks like the provider's answer. Only `state` distinguishes them (RFC 6749 §10.12): other
 * answers are ignored, and the pending sign-in continues.
 * @returns why it failed; undefined after a success
 */
export async function returnFromProvider(): Promise<Words | undefined> {
  const parameters = new URLSearchParams(location.search);
  const pending = readPending();
  const isOurs = pending !== undefined && parameters.get('state') === pending.state;
  // Removes the code from the address before anything can fail: it cannot be used again.
  returnTo(isOurs ? pending.back : '');
  if (isOurs) {
    dropPending();
    return redeem(pending, parameters).catch(() => notOurs);
  }
  if ('session' in sessionState.value) return undefined;
  return pending === undefined ? otherTab : notOurs;
}
