/** How many resources have unsaved changes. The tab keeps them as long as it is open and a person is signed in. */
import { Observable } from '../parts/observable.ts';

export const unsaved = new Observable(0);

let isLeavingOnPurpose = false;

/** For a way that leads back. */
export function allowLeaving(): void {
  isLeavingOnPurpose = true;
}

// Closing the tab would lose them, so the browser asks.
addEventListener('beforeunload', (event) => {
  if (unsaved.value > 0 && !isLeavingOnPurpose) event.preventDefault();
});
