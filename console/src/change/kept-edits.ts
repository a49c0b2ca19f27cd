/** Changes that nobody has saved yet. The tab keeps them, so that no click, reload or way to the provider and back loses them. */
import type { Tagged } from '../api/directory.ts';
import { Observable } from '../parts/observable.ts';
import type { DraftGroup } from '../schema/drafts.ts';
import { sessionState } from '../session/session.ts';
import { unsaved } from '../session/unsaved.ts';

export interface KeptEdit {
  /** What is changed; left out of a user who is to be created. */
  readonly base?: Tagged;
  readonly draft: DraftGroup;
  /** Of the user, for people. */
  readonly name: string;
}

const prefix = 'console.edit.';

function readAll(): ReadonlyMap<string, KeptEdit> {
  const all = new Map<string, KeptEdit>();
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix))
      all.set(key.slice(prefix.length), JSON.parse(sessionStorage.getItem(key) ?? '{}'));
  return all;
}

/** By the user's id. */
export const keptEdits = new Observable<ReadonlyMap<string, KeptEdit>>(readAll());

export function keepEdit(id: string, edit: KeptEdit): void {
  sessionStorage.setItem(prefix + id, JSON.stringify(edit));
  keptEdits.set(new Map(keptEdits.value).set(id, edit));
}

export function dropEdit(id: string): void {
  if (!keptEdits.value.has(id)) return;
  sessionStorage.removeItem(prefix + id);
  const others = new Map(keptEdits.value);
  others.delete(id);
  keptEdits.set(others);
}

sessionState.follow((state) => {
  if (!('session' in state)) keptEdits.set(new Map());
});

const tellHowMany = ({ size }: ReadonlyMap<string, KeptEdit>): void => unsaved.set(size);
keptEdits.follow(tellHowMany);
tellHowMany(keptEdits.value);
