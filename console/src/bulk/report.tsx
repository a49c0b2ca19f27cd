import { Link } from '../address/navigation.tsx';
import { CloseButton } from '../parts/form.tsx';
import { type Resource, refOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { countLeft, NameOf, type Run, summarize } from './bulk-steps.tsx';
import { downloadFailures } from './failures-file.ts';

const words = texts.bulk;

/** Others are in the file. */
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

interface ReportProps {
  readonly run: Run;
  readonly onRetry: (failed: readonly Resource[]) => void;
  readonly onClose: () => void;
}

/** The results of a bulk change: counts, and each failure with its reason. */
export function Report({ run, onRetry, onClose }: ReportProps) {
  const { failed } = run;
  const hasFailed = failed.length > 0;
  return (
    <>
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
