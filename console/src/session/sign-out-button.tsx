import { useState } from 'preact/hooks';
import { readAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useObservable } from '../parts/observable.ts';
import { texts } from '../texts/texts.ts';
import { signOut } from './session.ts';
import { unsaved } from './unsaved.ts';

/** Asks first if something would be lost. */
export function SignOutButton({ label }: { readonly label: string }) {
  const count = useObservable(unsaved);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" onClick={() => (count > 0 ? setAsking(true) : leaveSession())}>
        {label}
      </button>
      {isAsking && (
        <Dialog title={texts.session.unsaved} onClose={() => setAsking(false)}>
          <p>{texts.session.unsavedText}</p>
          <div class="actions">
            <button type="button" class="danger primary" onClick={leaveSession}>
              {texts.session.dropAndSignOut}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              {texts.session.stay}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Returns to the first page, for the next person who signs in. */
function leaveSession(): void {
  signOut();
  goTo(readAddress(''));
}
