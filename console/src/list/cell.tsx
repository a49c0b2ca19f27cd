import { ResourceName } from '../answers/resource-name.tsx';
import { ValueView } from '../change/value-view.tsx';
import { TimeValue } from '../form/day-control.tsx';
import { printNumber } from '../language.ts';
import { StatusPill, TextName } from '../person/summary.tsx';
import { describeMap, isList, isObject, type Json, type JsonObject } from '../schema/documents.ts';
import { type Field, isStatus } from '../schema/fields.ts';
import { managerPath } from '../schema/kinds.ts';

/** The primary item of a list, or the first one. */
function leadOf(items: readonly Json[]): Json | undefined {
  return items.find((item) => isObject(item) && item.primary === true) ?? items[0];
}

/** The most telling text of an object. */
const describeObject = (value: Json | undefined): string => {
  if (!isObject(value)) return value === undefined ? '' : String(value);
  const { value: own, display, formatted } = value;
  const said = [own, display, formatted].find((text) => typeof text === 'string');
  if (typeof said === 'string') return said;
  return Object.values(value)
    .filter((part) => typeof part === 'string')
    .join(', ');
};

function ListCell({ items }: { readonly items: readonly Json[] }) {
  if (!items.some(isObject)) return <bdi>{items.join(', ')}</bdi>;
  return (
    <span>
      <bdi>{describeObject(leadOf(items))}</bdi>
      {items.length > 1 && <span class="quiet"> +{items.length - 1}</span>}
    </span>
  );
}

/** A name that is stored with the id may be outdated. */
function PersonCell({ value: id, displayName = '' }: JsonObject) {
  const name = String(displayName);
  if (id) return <ResourceName kind="user" id={String(id)} name={name} />;
  return name === '' ? null : <TextName name={name} />;
}

interface CellProps {
  readonly field: Field;
  readonly value: Json | undefined;
}

/** A value as short text. */
export function Cell({ field, value }: CellProps) {
  if (value === undefined || value === null) return <span class="quiet">–</span>;
  if (typeof value === 'boolean' && isStatus(field)) return <StatusPill isActive={value} />;
  if (field.kind === 'text' && field.isTime) return <TimeValue name={field.path} at={String(value)} />;
  if (typeof value === 'number') return <span>{printNumber(value)}</span>;
  if (field.path === managerPath && isObject(value)) return <PersonCell {...value} />;
  if (isList(value)) return <ListCell items={value} />;
  return isObject(value) ? <bdi>{describeMap(value)}</bdi> : <ValueView value={value} field={field} />;
}
