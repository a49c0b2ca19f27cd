/** Counts unsaved changes. The tab keeps them as long as it is open and a person is signed in. */
import { Observable } from '../parts/observable.ts';

/** Resources with unsaved changes, and files whose corrected rows are not imported. */
export const unsaved = new Observable(0);

const counts = { edits: 0, files: 0 };

export function tellUnsaved(of: keyof typeof counts, count: number): void {
  counts[of] = count;
  unsaved.set(counts.edits + counts.files);
}

let isLeavingOnPurpose = false;

/** For a link back to them. */
export function allowLeaving(): void {
  isLeavingOnPurpose = true;
}

// Closing the tab would lose them, so the browser asks.
addEventListener('beforeunload', (event) => {
  if (unsaved.value > 0 && !isLeavingOnPurpose) event.preventDefault();
});
