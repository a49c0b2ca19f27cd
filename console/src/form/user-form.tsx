import type { DraftGroup } from '../schema/drafts.ts';
import type { Field } from '../schema/fields.ts';
import { FormMistakes, type Mistakes } from './form-context.ts';
import { Members } from './group-control.tsx';

interface UserFormProps {
  readonly fields: readonly Field[];
  readonly draft: DraftGroup;
  readonly mistakes: Mistakes;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: DraftGroup) => void;
}

const isOfParts = ({ kind }: Field): boolean => kind === 'group' || kind === 'list' || kind === 'map';

/** Every field that the schema has, in its order: single values first, then what has parts. */
export const UserForm = ({ fields, draft, mistakes, isReadOnly, onChange }: UserFormProps) => (
  <FormMistakes.Provider value={mistakes}>
    <fieldset class="user-form" disabled={isReadOnly}>
      <legend class="unseen">What is known of the user</legend>
      <Members
        fields={[...fields.filter((field) => !isOfParts(field)), ...fields.filter(isOfParts)]}
        value={draft}
        pointer=""
        onChange={onChange}
      />
    </fieldset>
  </FormMistakes.Provider>
);
