import { Icon } from '../parts/icons.tsx';
import { type Draft, groupOf, toDraft } from '../schema/drafts.ts';
import type { ListField } from '../schema/fields.ts';
import { texts } from '../texts/texts.ts';
import { Mistake } from './field-frame.tsx';
import { FieldView } from './field-view.tsx';
import { focusAdded, idOf } from './form-context.ts';
import { Members } from './group-control.tsx';
import { stateOf, useDrawn } from './use-drawn.ts';

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

interface ItemProps extends ListControlProps {
  readonly index: number;
}

function Item({ field, value, pointer, index, onChange }: ItemProps) {
  const at = `${pointer}/${index}`;
  const label = `${field.item.label} ${index + 1}`;
  const change = (item: Draft) => onChange(setItem(field, value, index, item));
  return (
    <li>
      {field.item.kind === 'group' ? (
        <fieldset id={idOf(at)} tabIndex={-1}>
          <legend class="unseen">{label}</legend>
          <Mistake pointer={at} />
          <Members
            fields={field.item.fields}
            value={groupOf(value[index])}
            pointer={at}
            isBrief
            onChange={change}
          />
        </fieldset>
      ) : (
        <FieldView
          field={field.item}
          value={value[index]}
          pointer={at}
          label={label}
          isBrief
          onChange={change}
        />
      )}
      <button
        type="button"
        class="bare remove"
        aria-label={texts.form.remove(label)}
        title={texts.form.remove(label)}
        onClick={() => onChange(value.filter((_, other) => other !== index))}
      >
        <Icon name="remove" />
      </button>
    </li>
  );
}

const classOf = ({ item }: ListField): string => (item.kind === 'group' ? '' : 'of-texts');

export function ListControl(props: ListControlProps) {
  const { field, value, pointer, onChange } = props;
  const drawn = useDrawn(value.length);
  return (
    <fieldset
      class={`group list-group ${classOf(field)} ${stateOf(drawn, value.length)}`}
      id={idOf(pointer)}
      tabIndex={-1}
    >
      <legend>{field.label}</legend>
      {field.description !== '' && <p class="hint">{field.description}</p>}
      <Mistake pointer={pointer} />
      {value.length > 0 && (
        <ol>
          {value.slice(0, drawn).map((_, index) => (
            <Item key={index} {...props} index={index} />
          ))}
        </ol>
      )}
      <button
        type="button"
        class="add"
        disabled={value.length >= field.maxItems}
        onClick={() => {
          onChange([...value, toDraft(field.item, undefined)]);
          focusAdded(`${pointer}/${value.length}`);
        }}
      >
        <Icon name="plus" /> {texts.form.add(field.item.label)}
      </button>
    </fieldset>
  );
}
