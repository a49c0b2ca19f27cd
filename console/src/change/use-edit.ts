import { useMemo, useState } from 'preact/hooks';
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
}

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
  readonly draft: DraftGroup;
}

function startEdit(id: string, loaded: Tagged | undefined, fields: readonly Field[]): EditState {
  const kept = keptEdits.value.get(id);
  // A field may have come or gone since.
  if (kept !== undefined) return { base: kept.base, draft: { ...draftOf(fields, {}), ...kept.draft } };
  return {
    base: loaded,
    draft: draftOf(fields, loaded === undefined ? emptyDocument : documentOf(loaded.user)),
  };
}

const nameIn = (draft: DraftGroup): string => (typeof draft.userName === 'string' ? draft.userName : '');

/** @param loaded the user as it was read; undefined to create one */
export function useEdit(id: string, loaded: Tagged | undefined, fields: readonly Field[]): Edit {
  const [{ base, draft }, setState] = useState(() => startEdit(id, loaded, fields));
  return useMemo(() => {
    const clean = draftOf(fields, base === undefined ? emptyDocument : documentOf(base.user));
    const compared = (some: DraftGroup): Json | undefined =>
      dropEmpty(toDocumentGroup(findWritable(fields), some));
    const isSame = (one: DraftGroup, other: DraftGroup) => isEqual(compared(one), compared(other));
    const put = (state: EditState) => {
      const unchanged = draftOf(
        fields,
        state.base === undefined ? emptyDocument : documentOf(state.base.user),
      );
      if (isSame(state.draft, unchanged)) dropEdit(id);
      else
        keepEdit(id, {
          ...(state.base === undefined ? {} : { base: state.base }),
          draft: state.draft,
          name: nameIn(state.draft),
        });
      setState(state);
    };
    return {
      base,
      draft,
      isChanged: !isSame(draft, clean),
      document: wholeDocument(id, base, fields, draft),
      change: (next) => put({ base, draft: next }),
      discard: () => put({ base, draft: clean }),
      moveTo: (next, document = documentOf(next.user)) =>
        put({ base: next, draft: draftOf(fields, document) }),
    };
  }, [id, base, draft, fields]);
}
