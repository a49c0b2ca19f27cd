import { useRef, useState } from 'preact/hooks';
import { summarizeFailure } from '../answers/failure-words.ts';
import { TextField } from '../parts/fields.tsx';
import { type KindName, nameOf, type Resource, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { useFound } from './use-found.ts';
import { useKeys } from './use-keys.ts';

/** Others are found by typing more. */
const maxOffered = 10;

interface PickerProps {
  readonly kind: KindName;
  readonly label: string;
  /** Picked ids, which are not offered again. */
  readonly without?: readonly string[];
  readonly onPick: (resource: Resource) => void;
}

/** Distinguishes it from others with the same name. */
const describe = (resource: Resource): string | undefined =>
  'userName' in resource ? nameOf(resource) : resource.description;

/** Finds resources while the person types. Enter takes the first one once it is loaded; pressed again, it submits the form. */
export function Picker({ kind, label, without = [], onPick }: PickerProps) {
  const [text, setText] = useState('');
  /** The text with which a resource was picked. */
  const [taken, setTaken] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const { resources, failure, isCurrent } = useFound(kind, text);
  const found = resources.filter(({ id }) => !without.includes(id));
  const offered = found.slice(0, maxOffered);
  const pick = (resource: Resource | undefined) => {
    if (resource === undefined) return;
    onPick(resource);
    setTaken(text);
    // The next text replaces this one; another offered resource can still be picked.
    input.current?.focus();
    input.current?.select();
  };
  const onKeyDown = useKeys({
    text,
    isBusy: !isCurrent,
    isOfForm: without.length > 0 && text === taken,
    take: () => pick(offered[0]),
  });
  return (
    <fieldset class="picker" aria-busy={!isCurrent} onKeyDown={onKeyDown}>
      <TextField
        label={label}
        value={text}
        onInput={setText}
        attributes={{ ref: input, placeholder: texts.kinds[kind].hint, maxLength: 128 }}
      />
      <ul aria-label={label}>
        {offered.map((resource) => (
          <li key={resource.id}>
            <button type="button" onClick={() => pick(resource)}>
              <bdi>{titleOf(resource)}</bdi> <bdi class="quiet">{describe(resource)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {failure !== undefined && summarizeFailure(failure)}
        {failure === undefined && isCurrent && resources.length === 0 && texts.kinds[kind].noMatch}
        {found.length > maxOffered && texts.form.moreFound}
      </p>
    </fieldset>
  );
}
