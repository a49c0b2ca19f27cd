import { useMemo } from 'preact/hooks';
import type { DraftGroup } from '../schema/drafts.ts';
import type { Field } from '../schema/fields.ts';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { FormMistakes, type Mistakes } from './form-context.ts';
import { FormSection } from './form-section.tsx';
import { layOut } from './layout.ts';

interface ResourceFormProps {
  readonly kind: KindName;
  readonly fields: readonly Field[];
  readonly draft: DraftGroup;
  readonly mistakes: Mistakes;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: DraftGroup) => void;
}

/** Every field that a person may fill in. */
export function ResourceForm({ kind, fields, draft, mistakes, isReadOnly, onChange }: ResourceFormProps) {
  const sections = useMemo(() => layOut(kind, fields), [kind, fields]);
  return (
    <FormMistakes.Provider value={mistakes}>
      <fieldset class="resource-form" disabled={isReadOnly}>
        <legend class="unseen">{texts.form.about[kind]}</legend>
        {sections.map((section) => (
          <FormSection key={section.name} section={section} draft={draft} onChange={onChange} />
        ))}
      </fieldset>
    </FormMistakes.Provider>
  );
}
