import { useRef, useState } from 'preact/hooks';
import type { Tagged } from '../api/directory.ts';
import { type Change, create, replace } from '../change/change-resource.ts';
import type { Edit, MoveOn } from '../change/use-edit.ts';
import { explainDetail } from '../explain-detail.ts';
import type { Mistakes } from '../form/form-context.ts';
import { fieldAt } from '../form/pointers.ts';
import { clearAnnouncement } from '../parts/announcement.tsx';
import { type JsonObject, readPointer } from '../schema/documents.ts';
import { findMistakes, toFormPointer } from '../schema/drafts.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';

export interface Saving {
  readonly isBusy: boolean;
  readonly mistakes: Mistakes;
  /** The outcome of the last change, and the word for its success. */
  readonly change: Change | undefined;
  readonly done: string;
  save(): Promise<void>;
  /** @param document the whole resource @param base the changed version; omitted for a new resource */
  send(document: JsonObject, base: Tagged | undefined, done?: string): Promise<void>;
  /** Waits for the outcome of another action. */
  settle(coming: Promise<Change>): Promise<void>;
  /** The message about unsaved changes. */
  readonly note: string;
  /** Removes the messages about the last change. */
  clear(note?: string): void;
}

const noMistakes: Mistakes = new Map();

const mistakesOf = (change: Change, { of, draft }: Edit): Mistakes =>
  change.kind === 'refused'
    ? new Map(
        change.failure.violations.map(({ pointer, detail }) => [
          toFormPointer(fieldsOf(of.kind), draft, pointer),
          // The declared description is clearer than a pattern.
          (/^must have the form/.test(detail) &&
            fieldAt(fieldsOf(of.kind), readPointer(pointer))?.description) ||
            explainDetail(detail),
        ]),
      )
    : noMistakes;

type Done = Extract<Change, { readonly kind: 'done' }>;

/** @param onDone called when the form shows the saved resource, with the word for the success */
export function useSaving(edit: Edit, onDone: (done: Done, word: string) => void): Saving {
  const moveOn = useRef<MoveOn | undefined>(undefined);
  const word = useRef('');
  const [isBusy, setBusy] = useState(false);
  const [mistakes, setMistakes] = useState<Mistakes>(noMistakes);
  const [change, setChange] = useState<Change>();
  const [note, setNote] = useState('');
  const [done, setDone] = useState(texts.resource.saved);
  const settle = async (coming: Promise<Change>) => {
    setBusy(true);
    const came = await untilShown(coming);
    setBusy(false);
    setChange(came);
    setMistakes(mistakesOf(came, edit));
    if (came.kind !== 'done') return;
    moveOn.current?.(came.now, came.isOlder);
    onDone(came, word.current);
  };
  const send: Saving['send'] = (document, base, next = texts.resource.saved) => {
    setDone(next);
    word.current = next;
    setNote('');
    clearAnnouncement();
    // Otherwise the previous outcome would appear under the new word.
    setChange(undefined);
    moveOn.current = edit.begin();
    return settle(base === undefined ? create(edit.of.kind, document) : replace(base, document));
  };
  return {
    isBusy,
    mistakes,
    change,
    done,
    note,
    settle,
    send,
    async save() {
      if (isBusy) return;
      const own = findMistakes(fieldsOf(edit.of.kind), edit.draft);
      setMistakes(own);
      setChange(undefined);
      if (own.size === 0) await send(edit.document, edit.base);
    },
    clear(next = '') {
      setNote(next);
      clearAnnouncement();
      setChange(undefined);
      setMistakes(noMistakes);
    },
  };
}
