import { type Draft, groupOf, toDraft } from '../schema/drafts.ts';
import type { ListField } from '../schema/fields.ts';
import { Mistake } from './field-frame.tsx';
import { FieldView } from './field-view.tsx';
import { idOf } from './form-context.ts';
import { Members } from './group-control.tsx';
import { Rows } from './rows.tsx';

interface ListControlProps {
  readonly field: ListField;
  readonly value: readonly Draft[];
  readonly pointer: string;
  readonly onChange: (value: readonly Draft[]) => void;
}

/** The flag that one item at most has is taken from the others. */
function setItem(field: ListField, items: readonly Draft[], at: number, item: Draft): readonly Draft[] {
  const { exclusive } = field;
  const takesIt = exclusive !== undefined && groupOf(item)[exclusive] === true;
  return items.map((other, index) => {
    if (index === at) return item;
    return takesIt && groupOf(other)[exclusive] === true
      ? { ...groupOf(other), [exclusive]: undefined }
      : other;
  });
}

/** A list whose rows are texts, or objects of several fields. */
export function ListControl({ field, value, pointer, onChange }: ListControlProps) {
  const { item, maxItems } = field;
  const nameOf = (index: number) => `${item.label} ${index + 1}`;
  return (
    <Rows
      {...{ field, pointer, value, onChange, nameOf }}
      class={item.kind === 'group' ? '' : 'of-texts'}
      word={item.label}
      most={maxItems}
      added={[toDraft(item, undefined), `${pointer}/${value.length}`]}
    >
      {(index) => {
        const common = {
          pointer: `${pointer}/${index}`,
          isBrief: true,
          onChange: (changed: Draft) => onChange(setItem(field, value, index, changed)),
        };
        if (item.kind !== 'group')
          return <FieldView {...common} field={item} value={value[index]} label={nameOf(index)} />;
        return (
          <fieldset id={idOf(common.pointer)} tabIndex={-1}>
            <legend class="unseen">{nameOf(index)}</legend>
            <Mistake pointer={common.pointer} />
            <Members {...common} fields={item.fields} value={groupOf(value[index])} />
          </fieldset>
        );
      }}
    </Rows>
  );
}
