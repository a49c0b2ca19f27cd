import { Link } from '../address/navigation.tsx';
import { download } from '../files/save-file.ts';
import { fieldAt } from '../form/pointers.ts';
import { CloseButton } from '../parts/form.tsx';
import { type KindName, kindOf, nameOf, type Resource, refOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { texts } from '../texts/texts.ts';
import { countLeft, NameOf, type Run, summarize } from './bulk-steps.tsx';
import type { FieldChange } from './field-change.ts';
import type { BulkResult } from './run-bulk.ts';

const words = texts.bulk;

/** The maximum number of shown failures; the file has all. */
const maxShown = 50;

const Failures = ({ failed }: Pick<Run, 'failed'>) => (
  <>
    <ul class="failures">
      {failed.slice(0, maxShown).map(({ resource, reason }) => (
        <li key={resource.id}>
          <Link view={{ name: 'one', ...refOf(resource) }}>
            <NameOf resource={resource} />
          </Link>
          <span>{reason}</span>
        </li>
      ))}
    </ul>
    {failed.length > maxShown && <p class="quiet">{words.more(failed.length - maxShown)}</p>}
  </>
);

/** Downloads the failures with their reasons, as a table for spreadsheets. */
async function downloadFailures(failed: readonly BulkResult[]): Promise<void> {
  const { engine } = await import('user-files');
  const rows = failed.map(({ resource, reason }) => [resource.id, nameOf(resource), reason]);
  download(new Blob([engine.printTable([words.headings, ...rows])], { type: 'text/csv' }), words.fileName);
}

/** `Cost center: Set CC-99` */
export function describeEdit({ path, operation, said = '' }: FieldChange, kind: KindName): string {
  const label = fieldAt(fieldsOf(kind), path)?.label ?? '';
  return `${label}: ${words.operations[operation]} ${said}`;
}

interface ReportProps {
  readonly run: Run;
  readonly onRetry: (failed: readonly Resource[]) => void;
  readonly onClose: () => void;
}

/** The results of a bulk change: counts, and each failure with its reason. */
export function Report({ run, onRetry, onClose }: ReportProps) {
  const { action, failed, resources } = run;
  const hasFailed = failed.length > 0;
  return (
    <>
      {action.name === 'edit' && resources[0] && (
        <p class="strong">{describeEdit(action.change, kindOf(resources[0]))}</p>
      )}
      <p role="status">{summarize(run)}</p>
      {hasFailed && <Failures failed={failed} />}
      {(hasFailed || countLeft(run) > 0) && <p class="quiet">{words.staySelected}</p>}
      <div class="actions">
        <CloseButton onClose={onClose} />
        {hasFailed && (
          <>
            <button type="button" onClick={() => onRetry(failed.map(({ resource }) => resource))}>
              {words.retry}
            </button>
            <button type="button" onClick={() => downloadFailures(failed)}>
              {words.download}
            </button>
          </>
        )}
      </div>
    </>
  );
}
