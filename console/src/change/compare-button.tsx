import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { CloseButton } from '../parts/form.tsx';
import { dropEmptyMembers } from '../schema/documents.ts';
import { documentOf, kindOf, type Resource, titleOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { texts } from '../texts/texts.ts';
import { compareVersions } from './merge.ts';
import { ValueTable } from './value-table.tsx';

/** The values that differ between two selected resources, side by side. */
export function CompareButton({ one, other }: { readonly one: Resource; readonly other: Resource }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const [first, second] = [one, other].map((each) => dropEmptyMembers(documentOf(each)));
  const differences = compareVersions([first, second, second]).filter(({ path: [name] }) => name !== 'id');
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {texts.change.compare}
      </button>
      {isOpen && (
        <Dialog title={texts.change.compare} isWide onClose={close}>
          <ValueTable
            fields={fieldsOf(kindOf(one))}
            users={[one, other]}
            headings={[titleOf(one), titleOf(other)]}
            rows={differences.map(({ path, base, mine }) => ({ path, values: [base, mine] }))}
          />
          {differences.length === 0 && <p>{texts.change.equal}</p>}
          <div class="actions">
            <CloseButton onClose={close} />
          </div>
        </Dialog>
      )}
    </>
  );
}
