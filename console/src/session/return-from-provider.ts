/** What follows when the provider has sent the browser back. */
import { returnTo } from '../address/navigation.tsx';
import type { Words } from '../parts/notice.tsx';
import { beginSession } from './begin-session.ts';
import { provider, takePending } from './provider.ts';

/** @param parameters of the address; those that OAuth 2.0 has for what went wrong (RFC 6749 §4.1.2.1) are its own words */
function explainError(parameters: URLSearchParams): Words | undefined {
  const error = parameters.get('error');
  if (error === null) return undefined;
  const told = parameters.get('error_description') ?? error;
  const text =
    error === 'access_denied' ? 'Your provider says that access was denied.' : `Your provider says: ${told}`;
  return { title: 'You were not signed in', text };
}

const otherTab: Words = {
  title: 'You were not signed in',
  text: 'The way to your provider and back has begun in another tab, or long ago. Sign in again here.',
};

const notOurs: Words = {
  title: 'You were not signed in',
  text: 'What your provider has sent back does not belong to this attempt, or it can’t be reached. Try again.',
};

async function redeem(parameters: URLSearchParams): Promise<Words | undefined> {
  const pending = takePending();
  // The address is clean before anything can fail: a code in it is of no further use.
  returnTo(pending?.back ?? '');
  const told = explainError(parameters);
  if (told !== undefined || pending === undefined || provider === undefined) return told ?? otherTab;
  try {
    const { redeemCode } = await import('./open-id.ts');
    const { credentials, name } = await redeemCode(provider, pending, parameters);
    return await beginSession(credentials, name);
  } catch {
    return notOurs;
  }
}

/** @returns why it did not work; undefined when it did */
export const returnFromProvider = (): Promise<Words | undefined> =>
  redeem(new URLSearchParams(location.search));
