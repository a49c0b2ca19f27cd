import { useMemo, useRef, useState } from 'preact/hooks';
import type { Tagged } from '../api/directory.ts';
import { dropEmpty, isEqual, type Json, type JsonObject } from '../schema/documents.ts';
import { type DraftGroup, entriesOf, groupOf, toDocumentGroup, toDraftGroup } from '../schema/drafts.ts';
import { type Field, findWritable } from '../schema/fields.ts';
import { documentOf, kinds, type Ref } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { dropEdit, findEdit, keepEdit } from './kept-edits.ts';

/** Unsaved changes to a resource. */
export interface Edit {
  readonly of: Ref;
  /** The version under change; undefined for a new resource. */
  readonly base: Tagged | undefined;
  readonly draft: DraftGroup;
  readonly isChanged: boolean;
  /** The resource with the changes. */
  readonly document: JsonObject;
  change(draft: DraftGroup): void;
  discard(): void;
  /** @param document the changes, applied to another version; omitted: none */
  moveTo(base: Tagged, document?: JsonObject): void;
  /**
   * Call it when a change is sent.
   * @returns a function to call with the saved resource: text typed meanwhile stays as an unsaved change
   */
  begin(): MoveOn;
}

/** @param isOlder an earlier attempt created the resource: all differences stay as unsaved changes */
export type MoveOn = (now: Tagged, isOlder?: boolean) => void;

/** Members without a field in the form stay unchanged: the service may have new fields since the page was loaded. */
const wholeDocument = ({ kind, id }: Ref, base: Tagged | undefined, draft: DraftGroup): JsonObject => ({
  ...(base === undefined ? {} : documentOf(base.resource)),
  id,
  ...toDocumentGroup(findWritable(fieldsOf(kind)), draft),
});

const draftOf = ({ kind }: Ref, document: JsonObject): DraftGroup =>
  toDraftGroup(findWritable(fieldsOf(kind)), document);

interface EditState {
  readonly base: Tagged | undefined;
  /** The value in the base. */
  readonly clean: DraftGroup;
  readonly draft: DraftGroup;
}

/** Changes that the tab has kept may belong to an older version than the one that was read. */
function newerOf(base: Tagged | undefined, loaded: Tagged | undefined): Tagged | undefined {
  const timeOf = (one: Tagged | undefined) => one?.resource.meta.lastModified ?? '';
  return timeOf(loaded) > timeOf(base) ? loaded : base;
}

function startClean(of: Ref, base: Tagged | undefined): EditState {
  const clean = draftOf(of, base === undefined ? kinds[of.kind].blank : documentOf(base.resource));
  return { base, clean, draft: clean };
}

function startEdit(of: Ref, loaded: Tagged | undefined): EditState {
  const kept = findEdit(of);
  if (kept === undefined) return startClean(of, loaded);
  // A field may have come or gone since.
  return { ...startClean(of, kept.base), draft: { ...draftOf(of, {}), ...kept.draft } };
}

/** For a map, includes names without a value. */
function compared(field: Field, draft: DraftGroup): Json | undefined {
  const value = draft[field.name];
  if (field.kind === 'group') return field.fields.map((member) => compared(member, groupOf(value)) ?? null);
  return field.kind === 'map'
    ? entriesOf(value).flatMap((entry) =>
        entry.name + entry.value === '' ? [] : [[entry.name, entry.value]],
      )
    : dropEmpty(toDocumentGroup([field], draft));
}

/** An untouched value is the same object, and is not compared. */
const isSame = ({ kind }: Ref, { clean, draft }: EditState): boolean =>
  findWritable(fieldsOf(kind)).every(
    (field) =>
      draft[field.name] === clean[field.name] || isEqual(compared(field, draft), compared(field, clean)),
  );

function keepOrDrop(of: Ref, { base, draft }: EditState, isChanged: boolean): void {
  const name = String(draft[kinds[of.kind].uniqueName] ?? '');
  if (isChanged) keepEdit({ ...of, ...(base === undefined ? {} : { base }), draft, name });
  else dropEdit(of);
}

/** @param sent the draft that `clean` was made from, if it was made from one */
const keepTyped = (clean: DraftGroup, typed: DraftGroup, sent: DraftGroup = {}): DraftGroup =>
  Object.fromEntries(
    Object.entries(clean).map(([name, value]) => [name, typed[name] === sent[name] ? value : typed[name]]),
  );

/** @param loaded the resource as it was read; undefined to create one */
export function useEdit(of: Ref, loaded: Tagged | undefined): Edit {
  const [state, setState] = useState(() => startEdit(of, loaded));
  const latest = useRef(state);
  return useMemo(() => {
    const { base, clean, draft } = state;
    const put = (next: EditState) => {
      keepOrDrop(of, next, !isSame(of, next));
      latest.current = next;
      setState(next);
    };
    return {
      of,
      base,
      draft,
      isChanged: !isSame(of, state),
      get document() {
        return wholeDocument(of, base, draft);
      },
      change: (next) => put({ base, clean, draft: next }),
      discard: () => put(startClean(of, newerOf(base, loaded))),
      moveTo: (next, document) => {
        const now = draftOf(of, documentOf(next.resource));
        put({ base: next, clean: now, draft: document === undefined ? now : draftOf(of, document) });
      },
      begin: () => {
        const { draft: sent } = latest.current;
        return (next, isOlder = false) => {
          const now = draftOf(of, documentOf(next.resource));
          // The person may have left this form and typed in another one of the same resource.
          const typed = findEdit(of)?.draft ?? latest.current.draft;
          put({ base: next, clean: now, draft: keepTyped(now, typed, isOlder ? undefined : sent) });
        };
      },
    };
  }, [of.kind, of.id, state, loaded]);
}
