import { readAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { signOut } from './session.ts';

/** Whoever signs in next begins at the beginning. */
export function leaveSession(): void {
  signOut();
  goTo(readAddress(''));
}
