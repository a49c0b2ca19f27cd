import { isList, isObject, type Json } from '../schema/documents.ts';
import { labelOf } from '../schema/labels.ts';
import { texts } from '../texts/texts.ts';

/** A value of any kind, whole, as text. */
export function ValueView({ value }: { readonly value: Json | undefined }) {
  if (value === undefined || value === null) return <span class="none">{texts.change.nothing}</span>;
  if (typeof value === 'boolean') return <span>{value ? texts.change.yes : texts.change.no}</span>;
  if (isList(value))
    return (
      <ul class="values">
        {value.map((item, index) => (
          <li key={index}>
            <ValueView value={item} />
          </li>
        ))}
      </ul>
    );
  if (isObject(value))
    return (
      <span>
        {Object.entries(value).map(([name, member], index) => (
          <span key={name}>
            {index > 0 && ', '}
            <span class="quiet">{labelOf(name)}:</span> <ValueView value={member} />
          </span>
        ))}
      </span>
    );
  return <bdi class="value-text">{String(value)}</bdi>;
}
