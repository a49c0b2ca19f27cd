import { BackToList } from '../address/back-to-list.tsx';
import { isChangeOf } from '../api/changes.ts';
import { useTitle } from '../parts/brand.tsx';
import type { Ref } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { isPartShown } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { titleThen } from './change-view.tsx';
import { HistoryList } from './history-list.tsx';
import { useHistoryOf } from './history-tab.tsx';

function Changes(of: Ref) {
  const history = useHistoryOf(of);
  const named = history.changes.find((change) => change.label !== undefined && isChangeOf(change, of));
  const name = named && titleThen(named);
  useTitle(name ?? of.id, texts.kinds[of.kind].plural);
  return (
    <>
      <div class="resource-title">
        <h1>{name === undefined ? <code>{of.id}</code> : <bdi>{name}</bdi>}</h1>
        {history.changes.length > 0 && (
          <span class="pill off">{isPartShown(of.kind) ? texts.history.isAway : texts.history.isGone}</span>
        )}
      </div>
      <h2>{texts.history.title}</h2>
      <HistoryList of={of} history={history} none={texts.history.noneKept} onChanged={history.again} />
    </>
  );
}

/** The history of a user or a group that no longer exists. */
export const DeletedHistory = (of: Ref) => (
  <>
    <BackToList kind={of.kind} />
    <Allowed scope="history:read">
      <Changes {...of} />
    </Allowed>
  </>
);
