import { useMemo, useRef, useState } from 'preact/hooks';
import type { Tagged, User } from '../api/directory.ts';
import { dropEmpty, isEqual, type Json, type JsonObject } from '../schema/documents.ts';
import { type DraftGroup, toDocumentGroup, toDraftGroup } from '../schema/drafts.ts';
import { type Field, findWritable } from '../schema/fields.ts';
import { dropEdit, keepEdit, keptEdits } from './kept-edits.ts';

/** Somebody's changes to a user, until they are saved. */
export interface Edit {
  /** What is changed; undefined of a user who is to be created. */
  readonly base: Tagged | undefined;
  readonly draft: DraftGroup;
  readonly isChanged: boolean;
  /** The user as it would be. */
  readonly document: JsonObject;
  change(draft: DraftGroup): void;
  discard(): void;
  /** @param document the changes, made to another version; left out: none */
  moveTo(base: Tagged, document?: JsonObject): void;
  /**
   * To be called when a change is sent.
   * @returns to be called with the user as it is after it: what is typed in between stays, as a change that isn't saved
   */
  begin(): MoveOn;
}

/** @param isOlder what was sent isn't in it: all that differs stays as a change */
export type MoveOn = (now: Tagged, isOlder?: boolean) => void;

export const documentOf = (user: User): JsonObject => user as unknown as JsonObject;

/** What the form has no field for stays as it is: the service may have been given a field since the page was loaded. */
function wholeDocument(
  id: string,
  base: Tagged | undefined,
  fields: readonly Field[],
  draft: DraftGroup,
): JsonObject {
  const { meta: _meta, ...rest } = base === undefined ? ({} as JsonObject) : documentOf(base.user);
  return { ...rest, id, ...toDocumentGroup(findWritable(fields), draft) };
}

const draftOf = (fields: readonly Field[], document: JsonObject): DraftGroup =>
  toDraftGroup(findWritable(fields), document);

/** New users are active. */
const emptyDocument: JsonObject = { active: true };

interface EditState {
  readonly base: Tagged | undefined;
  /** As the base has it. */
  readonly clean: DraftGroup;
  readonly draft: DraftGroup;
}

const cleanDraft = (base: Tagged | undefined, fields: readonly Field[]): DraftGroup =>
  draftOf(fields, base === undefined ? emptyDocument : documentOf(base.user));

function startEdit(id: string, loaded: Tagged | undefined, fields: readonly Field[]): EditState {
  const kept = keptEdits.value.get(id);
  const base = kept === undefined ? loaded : kept.base;
  const clean = cleanDraft(base, fields);
  // A field may have come or gone since.
  const draft = kept === undefined ? clean : { ...draftOf(fields, {}), ...kept.draft };
  return { base, clean, draft };
}

const compared = (field: Field, draft: DraftGroup): Json | undefined =>
  dropEmpty(toDocumentGroup([field], draft));

/** A value that nobody has touched is the very same, and isn't looked into. */
const isSame = ({ clean, draft }: EditState, fields: readonly Field[]): boolean =>
  findWritable(fields).every(
    (field) =>
      draft[field.name] === clean[field.name] || isEqual(compared(field, draft), compared(field, clean)),
  );

const nameIn = (draft: DraftGroup): string => (typeof draft.userName === 'string' ? draft.userName : '');

function keepOrDrop(id: string, { base, draft }: EditState, isChanged: boolean): void {
  if (isChanged) keepEdit(id, { ...(base === undefined ? {} : { base }), draft, name: nameIn(draft) });
  else dropEdit(id);
}

/** @param sent the draft that `clean` was made of; none where it wasn't made of any */
const keepTyped = (clean: DraftGroup, typed: DraftGroup, sent: DraftGroup = {}): DraftGroup =>
  Object.fromEntries(
    Object.entries(clean).map(([name, value]) => [name, typed[name] === sent[name] ? value : typed[name]]),
  );

/** @param loaded the user as it was read; undefined to create one */
export function useEdit(id: string, loaded: Tagged | undefined, fields: readonly Field[]): Edit {
  const [state, setState] = useState(() => startEdit(id, loaded, fields));
  const latest = useRef(state);
  return useMemo(() => {
    const { base, clean, draft } = state;
    const put = (next: EditState) => {
      keepOrDrop(id, next, !isSame(next, fields));
      latest.current = next;
      setState(next);
    };
    return {
      base,
      draft,
      isChanged: !isSame(state, fields),
      get document() {
        return wholeDocument(id, base, fields, draft);
      },
      change: (next) => put({ base, clean, draft: next }),
      discard: () => put({ base, clean, draft: clean }),
      moveTo: (next, document) => {
        const now = cleanDraft(next, fields);
        put({ base: next, clean: now, draft: document === undefined ? now : draftOf(fields, document) });
      },
      begin: () => {
        const { draft: sent } = latest.current;
        return (next, isOlder = false) => {
          const now = cleanDraft(next, fields);
          // Somebody may have left this form and typed on in another one of the same user.
          const typed = keptEdits.value.get(id)?.draft ?? latest.current.draft;
          put({ base: next, clean: now, draft: keepTyped(now, typed, isOlder ? undefined : sent) });
        };
      },
    };
  }, [id, state, fields]);
}
