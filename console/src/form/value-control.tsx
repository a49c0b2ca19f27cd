import { useContext, useState } from 'preact/hooks';
import { anyDay } from '../parts/fields.tsx';
import { choiceListOf, choosing } from '../picker/choices.ts';
import { Combobox } from '../picker/combobox.tsx';
import { useKnownValues } from '../picker/use-known-values.ts';
import { type Field, type FlagField, isStatus, type NumberField, type TextField } from '../schema/fields.ts';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { type FieldAttributes, FieldFrame } from './field-frame.tsx';
import { type ControlProps, type FormOf, FormResource, knownId } from './form-context.ts';
import { isUniqueIn, UniqueName } from './unique-name.tsx';

type ValueControlProps = ControlProps<TextField | NumberField | FlagField>;

const textOf = ({ value }: ValueControlProps): string => (typeof value === 'string' ? value : '');

/** Of a declared attribute, which may be neither. */
const describeFlag = (value: string): string =>
  (texts.change.flags as Readonly<Record<string, string>>)[value] ?? value;

function drawControl(
  props: ValueControlProps,
  attributes: FieldAttributes & { readonly onFocus?: () => void },
) {
  const { field, label = field.label, onChange } = props;
  if (isStatus(field))
    return (
      <select
        {...attributes}
        value={String(props.value === true)}
        onChange={({ currentTarget }) => onChange(currentTarget.value === 'true')}
      >
        {(['true', 'false'] as const).map((value) => (
          <option key={value} value={value}>
            {texts.list.status[value]}
          </option>
        ))}
      </select>
    );
  if (field.kind === 'flag') {
    // A cleared optional flag is omitted.
    const cleared = field.isRequired ? false : undefined;
    return (
      <input
        {...attributes}
        type="checkbox"
        checked={props.value === true}
        onChange={(event) => onChange(event.currentTarget.checked || cleared)}
      />
    );
  }
  const value = textOf(props);
  const list = choiceListOf(field.path);
  if (list !== undefined) return <Combobox {...{ attributes, label }} {...choosing(list, value, onChange)} />;
  const common = {
    ...attributes,
    value,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  if (field.kind === 'number') return <input {...common} inputMode="decimal" autocomplete="off" />;
  if (field.choices.length > 0)
    return (
      <select {...common}>
        <option value="">–</option>
        {/* The stored value may not be among them any more. */}
        {[...new Set([...field.choices, value])].map(
          (choice) =>
            choice !== '' && (
              <option key={choice} value={choice}>
                {field.type === 'boolean' ? describeFlag(choice) : choice}
              </option>
            ),
        )}
      </select>
    );
  if (field.type === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(value)) return <input {...common} {...anyDay} />;
  // An input with one line would lose line breaks.
  if (field.isLong || /[\r\n]/.test(value)) return <textarea {...common} dir="auto" rows={2} />;
  const known = props.isBrief || isShared(field) ? knownId(field.path) : undefined;
  return (
    <input {...common} list={known} dir="auto" autocomplete="off" autocapitalize="none" spellcheck={false} />
  );
}

/** The control of a field that is unique in its kind. */
function statusOf(props: ValueControlProps, of: FormOf | undefined) {
  const { field } = props;
  if (of === undefined || field.kind === 'flag' || !isUniqueIn(of.kind, field)) return null;
  return <UniqueName of={of} name={textOf(props)} field={field} />;
}

/** Suggests the values of other resources. */
export function Known({ kind, path }: { readonly kind: KindName; readonly path: string }) {
  const { known } = useKnownValues(kind, path.split('.'), {});
  return (
    <datalist id={knownId(path)}>
      {known.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}

/** Fields whose values many users share. */
const isShared = ({ path }: Field): boolean =>
  /^(userType|enterprise[.](department|organization|division|costCenter))$/.test(path);

export function ValueControl(props: ValueControlProps) {
  const of = useContext(FormResource);
  const [isChanging, setChanging] = useState(false);
  const { field } = props;
  return (
    <FieldFrame {...props} status={statusOf(props, of)}>
      {(attributes) => (
        <>
          {drawControl(
            props,
            isShared(field) ? { ...attributes, onFocus: () => setChanging(true) } : attributes,
          )}
          {of && isChanging && <Known kind={of.kind} path={field.path} />}
        </>
      )}
    </FieldFrame>
  );
}
