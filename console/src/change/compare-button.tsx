import { useState } from 'preact/hooks';
import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CloseButton } from '../parts/form.tsx';
import { dropEmptyMembers } from '../schema/documents.ts';
import { documentOf, kindOf, nameOf, type Resource, titleOf } from '../schema/kinds.ts';
import { fieldsOf, usualSortOf } from '../schema/load-fields.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { compareVersions } from './merge.ts';
import { ValueTable } from './value-table.tsx';

/** The names of the first thousand groups of a user; undefined until they are known. */
function useGroups({ id }: Resource, isUser: boolean): readonly string[] | undefined {
  const isAsked = useScope('groups:read') && isUser;
  const query = { member: id, sort: usualSortOf('group'), limit: 1000 } as const;
  return useAnswer(
    isAsked ? ({ kind: 'group', query } as const) : undefined,
    listResources,
  ).value?.resources.map(nameOf);
}

interface CompareProps {
  readonly one: Resource;
  readonly other: Resource;
}

function CompareDialog({ one, other, onClose }: CompareProps & { readonly onClose: () => void }) {
  const isUser = kindOf(one) === 'user';
  const groups = [useGroups(one, isUser), useGroups(other, isUser)] as const;
  const shared = groups[0]?.filter((name) => groups[1]?.includes(name)) ?? [];
  // No field, so its name is its label.
  const label = shared.length > 0 ? texts.change.otherGroups : texts.kinds.group.plural;
  const [first, second] = [one, other].map((each, at) =>
    dropEmptyMembers({
      ...documentOf(each),
      [label]: groups[at]?.filter((name) => !groups[1 - at]?.includes(name)) ?? [],
    }),
  );
  const differences = compareVersions([first, second, second]).filter(({ path: [name] }) => name !== 'id');
  return (
    <Dialog title={texts.change.differences} isWide onClose={onClose}>
      <ValueTable
        fields={fieldsOf(kindOf(one))}
        headings={[one, other].map(titleOf)}
        of={[one, other]}
        rows={differences.map(({ path, base, mine }) => ({ path, values: [base, mine] }))}
      />
      {differences.length === 0 && <p>{texts.change.equal}</p>}
      {shared.length > 0 && (
        <p class="quiet">
          {texts.change.shared} <bdi>{shared.join(', ')}</bdi>
        </p>
      )}
      <div class="actions">
        <CloseButton onClose={onClose} />
      </div>
    </Dialog>
  );
}

/** The values and groups that differ between two selected resources, side by side. */
export function CompareButton(props: CompareProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {texts.change.compare}
      </button>
      {isOpen && <CompareDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
