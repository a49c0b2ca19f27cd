import { useState } from 'preact/hooks';
import { printDay } from '../language.ts';
import { anyDay, Segments, Select, TextField } from '../parts/fields.tsx';
import { AskingForm, FormButtons } from '../parts/form.tsx';
import { choiceListOf, choosing } from '../picker/choices.ts';
import { LabelledCombobox } from '../picker/combobox.tsx';
import { Picker } from '../picker/picker.tsx';
import { valuesOf } from '../picker/use-known-values.ts';
import { ValueInput } from '../picker/value-input.tsx';
import { type KindName, type Resource, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { BulkDialog, type DialogEnds } from './bulk-dialog.tsx';
import { Names } from './bulk-steps.tsx';
import { type EditField, editFieldsOf } from './edit-fields.ts';
import type { FieldChange } from './field-change.ts';

const words = texts.bulk;
const { flags } = texts.change;

interface EditDialogProps extends DialogEnds {
  readonly kind: KindName;
  readonly resources: readonly Resource[];
}

interface ValueChoiceProps extends Pick<EditDialogProps, 'kind' | 'resources'> {
  readonly field: EditField;
  readonly operation: FieldChange['operation'];
  readonly value: string | Resource;
  readonly onChange: (value: string | Resource) => void;
}

/** The new value of the field, or the item to add or remove. */
function ValueChoice({ resources, kind, field, operation, value, onChange }: ValueChoiceProps) {
  if (operation === 'clear') return null;
  const text = typeof value === 'string' ? value : '';
  const label = words.values[operation](field.label);
  if (operation === 'remove') {
    const items = valuesOf(resources, field.path);
    return (
      <Select
        label={label}
        value={text}
        options={[['', '–'], ...items.map((item) => [item, item] as const)]}
        onChoose={onChange}
      />
    );
  }
  const list = choiceListOf(field.path.join('.'));
  if (list !== undefined) return <LabelledCombobox label={label} {...choosing(list, text, onChange)} />;
  if (field.takes === 'day')
    return (
      <TextField label={label} value={text} onInput={onChange} attributes={{ ...anyDay, required: true }} />
    );
  if (field.takes === 'flag')
    return (
      <Select
        label={label}
        value={text}
        options={[
          ['', '–'],
          ['true', flags.true],
          ['false', flags.false],
        ]}
        onChoose={onChange}
      />
    );
  if (field.takes === 'text' || field.takes === 'items')
    return (
      <ValueInput
        kind={kind}
        label={label}
        path={field.path}
        query={{}}
        value={text}
        onInput={onChange}
        onPick={onChange}
      />
    );
  const picked = typeof value === 'string' ? [] : [value];
  return (
    <>
      <Picker kind="user" label={label} without={picked.map(({ id }) => id)} onPick={onChange} />
      {picked.length > 0 && <Names resources={picked} />}
    </>
  );
}

const operationsOf = ({ takes }: EditField): readonly FieldChange['operation'][] =>
  takes === 'items' ? ['add', 'remove', 'clear'] : ['set', 'clear'];

/** The value in JSON and in words. */
function taken({ takes }: EditField, value: string | Resource): Pick<FieldChange, 'value' | 'said'> {
  if (typeof value !== 'string') {
    const { id } = value;
    const said = titleOf(value);
    return { value: takes === 'user' ? id : { value: id, displayName: said }, said };
  }
  if (takes === 'flag') return { value: value === 'true', said: flags[value as 'true' | 'false'] };
  return { value: value.trim(), said: takes === 'day' && value ? printDay(value) : value };
}

interface AskProps extends Pick<EditDialogProps, 'kind' | 'resources' | 'onClose'> {
  readonly onStart: (change: FieldChange) => void;
}

function Ask({ resources, kind, onStart, onClose }: AskProps) {
  const fields = editFieldsOf(kind);
  const [chosen, setChosen] = useState(0);
  const [operation, setOperation] = useState<FieldChange['operation']>();
  const [value, setValue] = useState<string | Resource>('');
  const field = fields[chosen];
  if (field === undefined) return null;
  const operations = operationsOf(field);
  const current = operations.find((one) => one === operation) ?? operations[0] ?? 'set';
  const isReady = current === 'clear' || typeof value !== 'string' || value.trim() !== '';
  const count = texts.kinds[kind].count(resources.length);
  return (
    <AskingForm
      onSubmit={() =>
        onStart({ path: field.path, operation: current, ...taken(field, current === 'clear' ? '' : value) })
      }
    >
      <Select
        label={texts.list.field}
        value={String(chosen)}
        options={fields.map(({ label }, index) => [String(index), label])}
        onChoose={(index) => {
          setChosen(Number(index));
          setValue('');
        }}
      />
      <Segments
        label={words.operation}
        name="operation"
        value={current}
        options={operations.map((one) => [one, words.operations[one]])}
        onChoose={(next) => {
          setOperation(next);
          setValue('');
        }}
      />
      <ValueChoice
        key={field.label}
        {...{ resources, kind, field, value }}
        operation={current}
        onChange={setValue}
      />
      <p class="quiet">{words.editAbout(count)}</p>
      <Names resources={resources} />
      <FormButtons submit={words.buttons.edit(count)} isReady={isReady} onCancel={onClose} />
    </AskingForm>
  );
}

/** Sets or clears one field of all selected resources, or adds or removes an item. */
export const EditDialog = ({ kind, resources, ...ends }: EditDialogProps) => (
  <BulkDialog
    {...ends}
    title={words.titles.edit(texts.kinds[kind].count(resources.length))}
    ask={(start) => (
      <Ask
        {...{ kind, resources }}
        onStart={(change) => start({ name: 'edit', change }, resources)}
        onClose={ends.onClose}
      />
    )}
  />
);
