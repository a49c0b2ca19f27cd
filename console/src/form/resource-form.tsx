import { useMemo } from 'preact/hooks';
import type { DraftGroup } from '../schema/drafts.ts';
import type { Field } from '../schema/fields.ts';
import type { Ref } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { FormMistakes, FormResource, type Mistakes } from './form-context.ts';
import { FormSection } from './form-section.tsx';
import { layOut } from './layout.ts';

interface ResourceFormProps {
  readonly of: Ref;
  readonly fields: readonly Field[];
  readonly draft: DraftGroup;
  readonly mistakes: Mistakes;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: DraftGroup) => void;
}

/** Every field that a person may fill in. */
export function ResourceForm({ of, fields, draft, mistakes, isReadOnly, onChange }: ResourceFormProps) {
  const sections = useMemo(() => layOut(of.kind, fields), [of.kind, fields]);
  return (
    <FormResource.Provider value={of}>
      <FormMistakes.Provider value={mistakes}>
        <fieldset class="resource-form" disabled={isReadOnly}>
          <legend class="unseen">{texts.form.about[of.kind]}</legend>
          {sections.map((section) => (
            <FormSection key={section.name} section={section} draft={draft} onChange={onChange} />
          ))}
        </fieldset>
      </FormMistakes.Provider>
    </FormResource.Provider>
  );
}
