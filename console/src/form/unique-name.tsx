import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { useDebounced } from '../parts/use-debounced.ts';
import { printPointer } from '../schema/documents.ts';
import type { Field, NumberField, TextField } from '../schema/fields.ts';
import { type KindName, kinds, type Ref, refOf, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { type FormOf, useMistake } from './form-context.ts';

/** In milliseconds: shorter than that of a search, which finds much. */
const pause = 120;

export const isUniqueIn = (kind: KindName, { isUnique, path }: Field): boolean =>
  isUnique || path === kinds[kind].uniqueName;

interface UniqueNameProps {
  readonly of: FormOf;
  readonly name: string;
  readonly field: TextField | NumberField;
}

/** Why a name is not allowed, as far as the console can tell; the service has more rules. */
function findFault({ of, name, field }: UniqueNameProps): string | undefined {
  if (of.kind === 'user' && /\s/.test(name)) return texts.form.noSpaces;
  if (name !== name.trim()) return texts.form.noSpacesAround;
  if (/\p{C}/u.test(name)) return texts.form.invisible;
  const { maxLength } = field as TextField;
  return [...name].length > maxLength ? texts.form.tooLong(maxLength) : undefined;
}

interface TakenProps {
  readonly of: Ref;
  /** The filter by the field. */
  readonly path: string;
  readonly name: string;
  /** The service has said that the name is taken. */
  readonly isRefused: boolean;
}

/** The resource that has a value that must be unique, if the person may see it. */
export function Taken({ of, path, name, isRefused }: TakenProps) {
  const settled = useDebounced(name, pause);
  const query = { [path]: settled, limit: 1 };
  const question = settled === '' ? undefined : { kind: of.kind, query };
  const { value, failure, isBusy } = useAnswer(question, listResources);
  if (isBusy || settled !== name || failure !== undefined || value === undefined) return null;
  const [holder] = value.resources;
  if (holder === undefined) return isRefused ? null : <span class="free">{texts.form.free}</span>;
  if (holder.id === of.id) return null;
  const view = { name: 'one', ...refOf(holder) } as const;
  if (isRefused) return <Link view={view}>{texts.form.open(titleOf(holder))}</Link>;
  return (
    <span class="mistake">
      {texts.form.takenBy}{' '}
      <Link view={view}>
        <bdi>{titleOf(holder)}</bdi>
      </Link>
    </span>
  );
}

/** Says, once typing pauses, whether a name is free, who has it, or why it is not allowed; of a declared attribute, who has a refused value. */
export function UniqueName(props: UniqueNameProps) {
  const { of, name, field } = props;
  const { path, isUnique } = field;
  const isRefused = useMistake(printPointer(path.split('.'))) !== undefined;
  // The service's own message is shown.
  const fault = isRefused || isUnique ? undefined : findFault(props);
  const isAsked = isRefused || (!isUnique && name !== of.storedName);
  return (
    <span class="small" role="status">
      {fault !== undefined && <span class="mistake">{fault}</span>}
      {fault === undefined && name !== '' && isAsked && <Taken {...{ of, path, name, isRefused }} />}
    </span>
  );
}
