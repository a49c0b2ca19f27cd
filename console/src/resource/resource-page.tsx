import { useState } from 'preact/hooks';
import type { Tab } from '../address/address.ts';
import { BackToList } from '../address/back-to-list.tsx';
import { Link } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { readResource } from '../api/directory.ts';
import { findEdit, keptEdits } from '../change/kept-edits.ts';
import { newId } from '../change/new-id.ts';
import { DeletedHistory } from '../history/deleted-history.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import type { KindName, Ref } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { Editor } from './editor.tsx';

interface ResourcePageProps {
  readonly of: Ref;
  readonly tab: Tab | undefined;
}

/** One resource. Unsaved changes continue where they were, even if the resource has changed. */
export function ResourcePage({ of, tab }: ResourcePageProps) {
  const { kind } = of;
  const [kept] = useState(() => findEdit(of)?.base);
  // Read again after the history, from which a deleted user can be restored.
  const { value, failure, isBusy, again } = useAnswer({ ...of, isPast: tab === 'history' }, readResource);
  const loaded = value ?? kept;
  if (loaded !== undefined) return <Editor of={of} loaded={loaded} tab={tab} again={again} />;
  if (failure === undefined || (failure.status === 404 && isBusy)) return <Skeleton rows={8} />;
  if (failure.status === 404 && tab === 'history') return <DeletedHistory {...of} />;
  return (
    <>
      <h1 class="unseen">{texts.kinds[kind].plural}</h1>
      <FailureNotice failure={failure} retry={again} isAutomatic />
      <p class="actions">
        <BackToList kind={kind} />
        {failure.status === 404 && (
          <Link class="button" view={{ name: 'one', ...of, tab: 'history' }}>
            {texts.history.ofDeleted}
          </Link>
        )}
      </p>
    </>
  );
}

/** The id of a resource that is not created yet, so that another attempt does not create a second one. */
const idOfKept = (kind: KindName): string | undefined =>
  [...keptEdits.value.values()].find((edit) => edit.kind === kind && edit.base === undefined)?.id;

export function NewPage({ kind }: { readonly kind: KindName }) {
  const [of] = useState(() => ({ kind, id: idOfKept(kind) ?? newId() }));
  return <Editor of={of} loaded={undefined} />;
}
