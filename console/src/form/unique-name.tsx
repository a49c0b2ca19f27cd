import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { useDebounced } from '../parts/use-debounced.ts';
import { printPointer } from '../schema/documents.ts';
import { kinds, refOf, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { type FormOf, useMistake } from './form-context.ts';

/** In milliseconds: shorter than that of a search, which finds much. */
const pause = 120;

interface UniqueNameProps {
  readonly of: FormOf;
  readonly name: string;
  /** In code points. */
  readonly maxLength: number;
}

/** Why a name is not allowed, as far as the console can tell; the service has more rules. */
function findFault({ of, name, maxLength }: UniqueNameProps): string | undefined {
  if (of.kind === 'user' && /\s/.test(name)) return texts.form.noSpaces;
  if (name !== name.trim()) return texts.form.noSpacesAround;
  if (/\p{C}/u.test(name)) return texts.form.invisible;
  return [...name].length > maxLength ? texts.form.tooLong(maxLength) : undefined;
}

interface TakenProps extends Omit<UniqueNameProps, 'maxLength'> {
  /** The service has said that the name is taken. */
  readonly isRefused: boolean;
}

function Taken({ of, name, isRefused }: TakenProps) {
  const settled = useDebounced(name, pause);
  const query = { [kinds[of.kind].uniqueName]: settled, limit: 1 };
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

/** Says, once typing pauses, whether a name is free, who has it, or why it is not allowed. */
export function UniqueName(props: UniqueNameProps) {
  const { of, name } = props;
  const isRefused = useMistake(printPointer([kinds[of.kind].uniqueName])) !== undefined;
  // The service's own message is shown.
  const fault = isRefused ? undefined : findFault(props);
  return (
    <span class="small" role="status">
      {fault !== undefined && <span class="mistake">{fault}</span>}
      {fault === undefined && name !== '' && name !== of.storedName && <Taken {...{ of, name, isRefused }} />}
    </span>
  );
}
