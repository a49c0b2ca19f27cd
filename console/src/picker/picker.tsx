import { useState } from 'preact/hooks';
import { summarizeFailure } from '../answers/failure-words.ts';
import type { KindName, Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { LabelledCombobox } from './combobox.tsx';
import { optionOf, useFound } from './use-found.ts';

interface PickerProps {
  readonly kind: KindName;
  readonly label: string;
  /** Picked ids, which are not offered again. */
  readonly without?: readonly string[];
  readonly onPick: (resource: Resource) => void;
}

/** Finds resources while the person types. Enter takes the first one once it is loaded; pressed again, it submits the form. */
export function Picker({ kind, label, without = [], onPick }: PickerProps) {
  const [text, setText] = useState('');
  /** The text with which a resource was picked. */
  const [taken, setTaken] = useState<string>();
  const { resources, failure, isCurrent, isMore } = useFound(kind, text);
  const found = resources.filter(({ id }) => !without.includes(id));
  const pick = (resource: Resource | undefined) => {
    if (resource === undefined) return;
    onPick(resource);
    setTaken(text);
  };
  const isOfForm = text.trim() === '' || (without.length > 0 && text === taken);
  return (
    <LabelledCombobox
      label={label}
      isInline
      attributes={{ placeholder: texts.kinds[kind].hint, maxLength: 128 }}
      text={text}
      find={() => found.map(optionOf)}
      isBusy={!isCurrent}
      onType={setText}
      onPick={({ value }) => pick(found.find(({ id }) => id === value))}
      onEnter={isOfForm ? undefined : () => pick(found[0])}
    >
      <p class="quiet" role="status">
        {failure !== undefined && summarizeFailure(failure)}
        {failure === undefined && isCurrent && resources.length === 0 && texts.kinds[kind].noMatch}
        {isMore && texts.form.moreFound}
      </p>
    </LabelledCombobox>
  );
}
