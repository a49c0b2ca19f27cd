import { readAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { signOut } from './session.ts';

/** Returns to the first page, for the next person who signs in. */
export function leaveSession(): void {
  signOut();
  goTo(readAddress(''));
}
