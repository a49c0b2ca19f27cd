/** What follows when the provider has sent the browser back. */
import { returnTo } from '../address/navigation.tsx';
import { beginSession } from './begin-session.ts';
import { provider, takePending } from './provider.ts';

/** @param parameters of the address; those that OAuth 2.0 has for what went wrong (RFC 6749 §4.1.2.1) are its own words */
const explainError = (parameters: URLSearchParams): string | undefined => {
  const error = parameters.get('error');
  if (error === null) return undefined;
  if (error === 'access_denied') return 'You were not signed in: the provider says that access was denied.';
  return `You were not signed in. The provider says: ${parameters.get('error_description') ?? error}`;
};

async function redeem(parameters: URLSearchParams): Promise<string | undefined> {
  const pending = takePending();
  // The address is clean before anything can fail: a code in it is of no further use.
  returnTo(pending?.back ?? '');
  const told = explainError(parameters);
  if (told !== undefined || pending === undefined || provider === undefined)
    return told ?? 'The way to your provider and back has begun in another tab. Sign in again here.';
  try {
    const { redeemCode } = await import('./open-id.ts');
    const { credentials, name } = await redeemCode(provider, pending, parameters);
    return await beginSession(credentials, name);
  } catch {
    return 'Signing in did not work: what the provider has sent back does not belong to this attempt, or it can’t be reached. Try again.';
  }
}

/** @returns why it did not work; undefined when it did */
export const returnFromProvider = (): Promise<string | undefined> =>
  redeem(new URLSearchParams(location.search));
