import type { FunctionComponent } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { type Draft, groupOf, itemsOf, pointToItem, toDraft } from '../schema/drafts.ts';
import type { ListField } from '../schema/fields.ts';
import { texts } from '../texts/texts.ts';
import { GroupFrame } from './field-frame.tsx';
import { type ControlProps, FormResource, focusDrawn } from './form-context.ts';
import { useDrawn } from './use-drawn.ts';
import { Known } from './value-control.tsx';

/** Clears the flag that at most one item may have from the others. */
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

const focusAdd = (inside: Element): void =>
  inside.closest('fieldset')?.querySelector<HTMLElement>(':scope > .add')?.focus();

/** The classes of a list. @param drawn of its `count` items */
function classOf({ kind, item }: ListField, drawn: number, count: number): string {
  const state = count === 0 ? 'is-empty' : drawn < count ? 'is-partial' : '';
  return `list-group ${kind === 'map' ? 'of-entries' : ''} ${item.kind === 'group' ? '' : 'of-texts'} ${state}`;
}

interface ListControlProps extends ControlProps<ListField> {
  /** The control of an item, which may have lists again. */
  readonly Item: FunctionComponent<ControlProps>;
}

/** Rows that can be added and removed: texts, objects of several fields, or texts with names that people choose. */
export function ListControl({ field, value, pointer, onChange, Item }: ListControlProps) {
  const { item, maxItems } = field;
  const items = itemsOf(value);
  const drawn = useDrawn(items.length);
  const of = useContext(FormResource);
  const [isChanging, setChanging] = useState(false);
  const isOfTexts = field.kind === 'list' && item.kind === 'text';
  const nameOf = (index: number) =>
    `${item.label} ${field.kind === 'map' ? groupOf(items[index]).name : index + 1}`;
  const add = () => {
    setChanging(true);
    onChange([...items, toDraft(item, undefined)]);
    focusDrawn(pointToItem(field, pointer, items.length));
  };
  return (
    <GroupFrame field={field} pointer={pointer} class={classOf(field, drawn, items.length)}>
      {of && isOfTexts && isChanging && <Known kind={of.kind} path={item.path} />}
      {items.length > 0 && (
        <ol>
          {items.slice(0, drawn).map((one, index) => (
            <li key={index}>
              <Item
                field={item}
                value={one}
                pointer={pointToItem(field, pointer, index)}
                label={nameOf(index)}
                onChange={(changed) => onChange(setItem(field, items, index, changed))}
              />
              <button
                type="button"
                class="bare remove"
                aria-label={texts.form.remove(nameOf(index))}
                title={texts.form.remove(nameOf(index))}
                onClick={({ currentTarget }) => {
                  // The last button disappears, since the buttons of later items move up.
                  if (index === items.length - 1) focusAdd(currentTarget);
                  onChange(items.filter((_, other) => other !== index));
                }}
              >
                <Icon name="remove" />
              </button>
            </li>
          ))}
        </ol>
      )}
      <button type="button" class="add" disabled={items.length >= maxItems} onClick={add}>
        <Icon name="plus" /> {texts.form.add(item.label)}
      </button>
    </GroupFrame>
  );
}
