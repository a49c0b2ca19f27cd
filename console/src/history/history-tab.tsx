import { goTo } from '../address/navigation.tsx';
import { readHistory } from '../api/changes.ts';
import { partOf } from '../change/changed-members.ts';
import { setAt } from '../change/merge.ts';
import type { Edit } from '../change/use-edit.ts';
import { focusDrawn } from '../form/form-context.ts';
import { openSections } from '../form/resource-form.tsx';
import { toDraftGroup } from '../schema/drafts.ts';
import type { Ref } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { labelOfMember, type PutBack, pointerOf } from './compared-values.tsx';
import { HistoryList } from './history-list.tsx';
import { type History, useHistory } from './use-history.ts';

const pageSize = 20;

/** @param version of the resource; a new version is read again */
export const useHistoryOf = (of: Ref, version = ''): History =>
  useHistory(`${of.kind} ${of.id} ${version}`, (after, signal) =>
    readHistory(of, { limit: pageSize, ...(after === undefined ? {} : { after }) }, signal),
  );

interface HistoryTabProps {
  readonly edit: Edit;
  /** @param note says what was done, and what to do next */
  readonly onPutBack: (note: string) => void;
}

/** Old values become unsaved changes of the form, which are saved like any other. */
function putBackInto({ edit, onPutBack }: HistoryTabProps): PutBack {
  const { of, document, draft, change } = edit;
  const fields = fieldsOf(of.kind);
  return {
    current: document,
    onPutBack(members) {
      const parts = members.map(partOf);
      const whole = parts.reduce((before, { path, before: old }) => setAt(before, path, old), document);
      const names = new Set(members.map(({ path: [name] }) => name));
      const changed = fields.filter(({ name }) => names.has(name));
      change({ ...draft, ...toDraftGroup(changed, whole) });
      const labels = members.map((member) => labelOfMember(fields, member));
      const pointers = members.map(pointerOf);
      onPutBack(texts.history.isBack(labels.join(', ')));
      openSections(of.kind, pointers);
      goTo({ view: { name: 'one', ...of, tab: 'edit' } });
      focusDrawn(pointers[0] ?? '');
    },
  };
}

function OwnHistory(props: HistoryTabProps) {
  const { of, base } = props.edit;
  const history = useHistoryOf(of, base?.tag);
  const putBack = useScope(scopeOf(of.kind, 'write')) ? putBackInto(props) : undefined;
  const mayDelete = useScope(scopeOf(of.kind, 'delete'));
  return (
    <>
      <HistoryList of={of} history={history} none={texts.history.noneKept} putBack={putBack} />
      {mayDelete && history.changes.length > 0 && <p class="quiet small">{texts.history.erasable}</p>}
    </>
  );
}

/** The changes of a resource, shown in place of its form. */
export const HistoryTab = (props: HistoryTabProps) => (
  <section class="stack" aria-labelledby="history">
    <h2 id="history" class="unseen">
      {texts.history.title}
    </h2>
    <Allowed scope="history:read">
      <OwnHistory {...props} />
    </Allowed>
  </section>
);
