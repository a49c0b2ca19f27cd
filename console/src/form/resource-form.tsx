import type { DraftGroup } from '../schema/drafts.ts';
import type { Field } from '../schema/fields.ts';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { FormMistakes, type Mistakes } from './form-context.ts';
import { Members } from './group-control.tsx';

interface ResourceFormProps {
  readonly kind: KindName;
  readonly fields: readonly Field[];
  readonly draft: DraftGroup;
  readonly mistakes: Mistakes;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: DraftGroup) => void;
}

const isOfParts = ({ kind }: Field): boolean => kind === 'group' || kind === 'list' || kind === 'map';

/** Every field that the schema has, in its order: single values first, then what has parts. */
export const ResourceForm = ({ kind, fields, draft, mistakes, isReadOnly, onChange }: ResourceFormProps) => (
  <FormMistakes.Provider value={mistakes}>
    <fieldset class="resource-form" disabled={isReadOnly}>
      <legend class="unseen">{texts.form.about[kind]}</legend>
      <Members
        fields={[...fields.filter((field) => !isOfParts(field)), ...fields.filter(isOfParts)]}
        value={draft}
        pointer=""
        onChange={onChange}
      />
    </fieldset>
  </FormMistakes.Provider>
);
