import { ValueView } from '../change/value-view.tsx';
import { layOut } from '../form/layout.ts';
import { memberOf as fieldIn } from '../form/pointers.ts';
import { describeChoice } from '../picker/choices.ts';
import { dropEmpty, isList, isObject, type Json, type JsonObject, valueAt } from '../schema/documents.ts';
import type { Field } from '../schema/fields.ts';
import { documentOf, kindOf, type Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { Address } from './summary.tsx';

/** `Main Street 1, Paris, France (FR)` */
const describeParts = ({
  type: _type,
  primary: _primary,
  formatted,
  country,
  ...parts
}: JsonObject): string =>
  [...Object.values(parts), ...(country === undefined ? [] : [describeChoice('country', String(country))])]
    .join(', ')
    .trim() || String(formatted);

/** An item that is about one value, such as an email address: the value, then its kind. */
function Item({ field, item }: { readonly field: Field | undefined; readonly item: Json }) {
  if (!isObject(item)) return <ValueView value={item} field={field} />;
  if (typeof item.value !== 'string') return <bdi>{describeParts(item)}</bdi>;
  const { value, type, display, primary } = item;
  const told = [display, type, primary === true && texts.fields.common.primary.label];
  return (
    <>
      <Address path={field?.path ?? ''} value={value} />{' '}
      <span class="quiet small">{told.filter((word) => typeof word === 'string').join(' · ')}</span>
    </>
  );
}

/** A value for reading, one line for each item. */
function ReadValue({ field, value }: { readonly field: Field; readonly value: Json }) {
  if (!isList(value)) return <ValueView value={value} field={field} />;
  return (
    <ul>
      {value.map((item, index) => (
        <li key={index}>
          <Item field={fieldIn(field, String(index))} item={item} />
        </li>
      ))}
    </ul>
  );
}

/** All that is known of a resource, as text, in the order of the form. */
export function ReadView({ resource }: { readonly resource: Resource }) {
  const document = documentOf(resource);
  const sections = layOut(kindOf(resource)).flatMap(({ name, fields }) => {
    const filled = fields.flatMap((field) => {
      const value = dropEmpty(valueAt(document, field.path.split('.')) ?? null);
      return value === undefined ? [] : [{ field, value }];
    });
    return filled.length > 0 ? [{ name, filled }] : [];
  });
  return (
    <div class="read-view">
      {sections.map(({ name, filled }) => (
        <section key={name} class="panel" aria-labelledby={`read-${name}`}>
          <h2 id={`read-${name}`}>{texts.form.sections[name]}</h2>
          <dl>
            {filled.map(({ field, value }) => (
              <div key={field.path}>
                <dt>{field.label}</dt>
                <dd>
                  <ReadValue field={field} value={value} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
