/** Keeps unsaved changes in the tab, so that no click, reload or sign-in at the provider loses them. */
import type { Tagged } from '../api/directory.ts';
import { Observable } from '../parts/observable.ts';
import type { DraftGroup } from '../schema/drafts.ts';
import type { Ref } from '../schema/kinds.ts';
import { sessionState } from '../session/session.ts';
import { tellUnsaved } from '../session/unsaved.ts';

interface KeptEdit extends Ref {
  /** The version under change; omitted for a new resource. */
  readonly base?: Tagged;
  readonly draft: DraftGroup;
  /** The name of the resource, for people. */
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

/** By kind and id. */
export const keptEdits = new Observable<ReadonlyMap<string, KeptEdit>>(readAll());

const keyOf = ({ kind, id }: Ref): string => `${kind}.${id}`;

export const findEdit = (ref: Ref): KeptEdit | undefined => keptEdits.value.get(keyOf(ref));

export function keepEdit(edit: KeptEdit): void {
  const key = keyOf(edit);
  sessionStorage.setItem(prefix + key, JSON.stringify(edit));
  keptEdits.set(new Map(keptEdits.value).set(key, edit));
}

export function dropEdit(ref: Ref): void {
  const key = keyOf(ref);
  if (!keptEdits.value.has(key)) return;
  sessionStorage.removeItem(prefix + key);
  const others = new Map(keptEdits.value);
  others.delete(key);
  keptEdits.set(others);
}

sessionState.follow((state) => {
  if (!('session' in state)) keptEdits.set(new Map());
});

const tellHowMany = ({ size }: ReadonlyMap<string, KeptEdit>): void => tellUnsaved('edits', size);
keptEdits.follow(tellHowMany);
tellHowMany(keptEdits.value);
