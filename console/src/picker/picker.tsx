import { useState } from 'preact/hooks';
import { summarizeFailure } from '../answers/failure-words.ts';
import type { KindName, Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { LabelledCombobox } from './combobox.tsx';
import { readList } from './find-listed.ts';
import { optionOf, useFound } from './use-found.ts';

interface PickerProps {
  readonly kind: KindName;
  readonly label: string;
  /** Picked ids, which are not offered again. */
  readonly without?: readonly string[];
  /** The id of a group, whose members are marked. */
  readonly group?: string | undefined;
  /** Takes a pasted list, and a typed one that finds nothing. */
  readonly onList?: ((names: readonly string[]) => void) | undefined;
  readonly onPick: (resource: Resource) => void;
}

/** Finds resources while the person types. Enter takes the first one once it is loaded; pressed again, it submits the form. */
export function Picker({ kind, label, without = [], group, onList, onPick }: PickerProps) {
  const [text, setText] = useState('');
  /** The text with which a resource was picked. */
  const [taken, setTaken] = useState<string>();
  const { resources, failure, isCurrent, isMore } = useFound(kind, text);
  const members = useFound(kind, group && text, group === undefined ? {} : { group });
  const found = resources.filter(({ id }) => !without.includes(id));
  const pick = (resource: Resource | undefined) => {
    if (resource === undefined) return;
    onPick(resource);
    setTaken(text);
  };
  const option = (resource: Resource) => {
    const { note, ...own } = optionOf(resource);
    const isMember = members.resources.some(({ id }) => id === resource.id);
    return { ...own, note: isMember ? `${texts.bulk.isMember} · ${note}` : note };
  };
  /** @returns whether it was a list */
  const takeList = (list: string): boolean => {
    const names = readList(list);
    if (names.length < 2) return false;
    onList?.(names);
    setText('');
    return onList !== undefined;
  };
  const isOfForm = text.trim() === '' || (without.length > 0 && text === taken);
  return (
    <LabelledCombobox
      label={label}
      isInline
      attributes={{
        ...{ placeholder: texts.kinds[kind].hint, maxLength: 128 },
        onPaste(event) {
          const pasted = event.clipboardData?.getData('text') ?? '';
          if (/[\n;@]/.test(pasted) && takeList(pasted)) event.preventDefault();
        },
      }}
      text={text}
      find={() => found.map(option)}
      isBusy={!isCurrent}
      onType={setText}
      onPick={({ value }) => pick(found.find(({ id }) => id === value))}
      onEnter={isOfForm ? undefined : () => (found.length > 0 ? pick(found[0]) : takeList(text))}
    >
      <p class="quiet" role="status">
        {failure !== undefined && summarizeFailure(failure)}
        {failure === undefined && isCurrent && resources.length === 0 && texts.kinds[kind].noMatch}
        {isMore && texts.form.moreFound}
      </p>
    </LabelledCombobox>
  );
}
