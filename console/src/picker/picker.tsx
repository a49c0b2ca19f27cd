import { useRef, useState } from 'preact/hooks';
import { explain } from '../answers/failure-words.ts';
import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { useDebounced } from '../parts/use-debounced.ts';
import { type KindName, kinds, nameOf, type Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

/** Others are found by typing more. */
const maxOffered = 8;
/** More than are offered, so that others take the places of those that are picked. */
const maxAsked = 24;

interface PickerProps {
  readonly kind: KindName;
  readonly label: string;
  /** Ids that are not offered. */
  readonly without?: readonly string[];
  readonly onPick: (resource: Resource) => void;
}

const describe = (resource: Resource): string | undefined =>
  'userName' in resource ? resource.displayName : resource.description;

/** Finds a resource by what is typed of it; Enter takes the first. */
export function Picker({ kind, label, without = [], onPick }: PickerProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const search = useDebounced(text.trim());
  const question = {
    kind,
    query: {
      ...(search === '' ? {} : { search }),
      sort: kinds[kind].uniqueName as 'displayName',
      limit: maxAsked,
    },
  };
  const { value, failure, isBusy } = useAnswer(question, listResources);
  const found = failure === undefined ? (value?.resources ?? []) : [];
  const offered = found.filter(({ id }) => !without.includes(id)).slice(0, maxOffered);
  const isCurrent = !isBusy && search === text.trim();
  const pick = (resource: Resource | undefined) => {
    if (resource === undefined) return;
    onPick(resource);
    // What is typed next replaces it, and another one of those that are there can be picked too.
    input.current?.focus();
    input.current?.select();
  };
  return (
    <div class="picker" aria-busy={!isCurrent}>
      <label class="field">
        <span>{label}</span>
        <input
          ref={input}
          placeholder={texts.picker.hint[kind]}
          maxLength={128}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (isCurrent) pick(offered[0]);
          }}
        />
      </label>
      <ul aria-label={label}>
        {offered.map((resource) => (
          <li key={resource.id}>
            <button type="button" onClick={() => pick(resource)}>
              <bdi>{nameOf(resource)}</bdi> <bdi class="quiet">{describe(resource)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {failure !== undefined && `${explain(failure).title}. ${explain(failure).text}`}
        {failure === undefined && isCurrent && offered.length === 0 && texts.picker.noMatch[kind]}
      </p>
    </div>
  );
}
