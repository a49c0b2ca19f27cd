/** How far the receivers of webhooks are. Only an operator can act, so the page has the commands. */

import { ResourceName } from '../answers/resource-name.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { kindOfChange } from '../api/changes.ts';
import { ask } from '../api/client.ts';
import type { components } from '../contract.ts';
import { HistoryFailure } from '../history/history-list.tsx';
import { useTitle } from '../parts/brand.tsx';
import { Folded } from '../parts/folded.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { splitLines } from '../resource/lines.ts';
import { Shown } from '../resource/representation.tsx';
import { urlOf } from '../root.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { profileOf, sessionState } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

type Receiver = components['schemas']['WebhookReceiver'];

const words = texts.webhooks;

function sayOutcome(outcome: string): string {
  if (/^\d+$/.test(outcome)) return words.answered(outcome);
  return outcome === 'timeout' ? words.tooLate : words.unreachable(outcome);
}

/** Without a number: the receiver has not begun. */
function Place({ behind, lastAttempt: last }: Receiver) {
  if (behind === 0) return <span class="pill on">{words.upToDate}</span>;
  const isFailing = last !== undefined && !last.outcome.startsWith('2');
  return (
    <span class={isFailing ? 'pill bad' : 'pill off'}>
      {behind === undefined ? words.notBegun : words.behind(behind)}
    </span>
  );
}

interface CommandProps {
  readonly why: string;
  readonly command: string;
}

const Command = ({ why, command }: CommandProps) => (
  <div>
    <p>{why}</p>
    <Shown text={`user-management webhook ${command}`} lines={splitLines} />
  </div>
);

function SetAside({ id: receiver, setAside = 0, failures = [] }: Receiver) {
  const more = setAside - failures.length;
  return (
    <Folded class="fold" summary={<span class="fold-name">{words.setAside(setAside)}</span>}>
      <div class="stack">
        <ul>
          {failures.map(({ cursor, type, id, at, outcome }) => (
            <li key={cursor}>
              {texts.history.types[type] ?? type}: <ResourceName kind={kindOfChange({ type })} id={id} />{' '}
              <span class="quiet">
                <Moment at={at} />, {sayOutcome(outcome)}
              </span>
            </li>
          ))}
        </ul>
        {more > 0 && <p class="quiet">{texts.bulk.more(more)}</p>}
        <Command why={words.toReplay} command={`replay ${receiver}`} />
      </div>
    </Folded>
  );
}

function Status(receiver: Receiver) {
  const { id, lastAttempt: last, disabled, gapPending, setAside } = receiver;
  return (
    <section class="panel stack" aria-labelledby={`receiver-${id}`}>
      <div class="resource-title">
        <h2 id={`receiver-${id}`}>{id}</h2>
        {disabled && <span class="pill bad">{words.disabled}</span>}
        {gapPending && <span class="pill bad">{words.gap}</span>}
        {/* An access profile hides the rest. */}
        {setAside !== undefined && <Place {...receiver} />}
        {last && (
          <span class="quiet">
            {words.lastAttempt} <Moment at={last.at} />, {sayOutcome(last.outcome)}
          </span>
        )}
        {setAside === 0 && <span class="quiet">{words.setAside(0)}</span>}
      </div>
      {disabled && <Command why={words.toEnable} command={`enable ${id}`} />}
      {setAside !== undefined && setAside > 0 && <SetAside {...receiver} />}
    </section>
  );
}

function Receivers() {
  const { value, failure, again } = useAnswer({}, (_, signal) =>
    ask('get', '/webhooks', { signal }, ({ receivers }) => receivers),
  );
  return (
    <>
      <HistoryFailure failure={failure} again={again} />
      {value === undefined && failure === undefined && <Skeleton rows={6} />}
      {value?.length === 0 && (
        <Notice tone="info" title={words.none}>
          <p>
            {words.noneText} <a href={urlOf('docs')}>{texts.session.documentation}</a>.
          </p>
        </Notice>
      )}
      {value?.map((receiver) => (
        <Status key={receiver.id} {...receiver} />
      ))}
      {value?.[0] && profileOf(sessionState.value) && <p class="quiet">{words.limited}</p>}
    </>
  );
}

export function WebhooksPage() {
  useTitle('', words.title);
  return (
    <main class="resource">
      <h1>{words.title}</h1>
      <Allowed scope="changes:read">
        <Receivers />
      </Allowed>
    </main>
  );
}
