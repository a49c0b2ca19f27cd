import { ResourceName } from '../answers/resource-name.tsx';
import { TimeValue } from '../form/day-control.tsx';
import { memberOf } from '../form/pointers.ts';
import { printDay } from '../language.ts';
import { choiceListOf, describeChoice } from '../picker/choices.ts';
import { isList, isObject, type Json } from '../schema/documents.ts';
import { type Field, isStatus, isUserId } from '../schema/fields.ts';
import { managerPath } from '../schema/kinds.ts';
import { labelOf } from '../schema/labels.ts';
import { texts } from '../texts/texts.ts';

interface ValueViewProps {
  readonly value: Json | undefined;
  /** The field that names its members; undefined for values that the schema lacks. */
  readonly field: Field | undefined;
}

/** Any value, completely, as text. The member `value` of an object such as an email address needs no label. */
export function ValueView({ value, field }: ValueViewProps) {
  if (value === undefined || value === null) return <span class="quiet">{texts.change.nothing}</span>;
  const words = isStatus(field) ? texts.list.status : texts.change.flags;
  if (typeof value === 'boolean') return <span>{words[`${value}`]}</span>;
  if (isList(value))
    return (
      <ul class="values">
        {value.map((item, index) => (
          <li key={index}>
            <ValueView value={item} field={memberOf(field, String(index))} />
          </li>
        ))}
      </ul>
    );
  if (field?.path === managerPath && isObject(value) && value.value)
    return <ResourceName kind="user" id={String(value.value)} name={String(value.displayName ?? '')} />;
  if (field?.kind === 'text' && field.isTime)
    return <TimeValue name={field.path} at={String(value)} isExact />;
  if (field?.kind === 'text' && field.type === 'date') return <span>{printDay(String(value))}</span>;
  if (isUserId(field)) return <ResourceName kind="user" id={String(value)} />;
  if (isObject(value))
    return (
      <span>
        {Object.entries(value).map(([name, member], index) => (
          <span key={name}>
            {index > 0 && ', '}
            {name !== 'value' && <span class="quiet">{memberOf(field, name)?.label ?? labelOf(name)}: </span>}
            <ValueView value={member} field={memberOf(field, name)} />
          </span>
        ))}
      </span>
    );
  const list = field && choiceListOf(field.path);
  return <bdi class="value-text">{list ? describeChoice(list, String(value)) : String(value)}</bdi>;
}
