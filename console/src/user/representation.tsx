import { useState } from 'preact/hooks';
import { useAnswer } from '../answers/use-answer.ts';
import { readText } from '../api/directory.ts';
import { Icon } from '../parts/icons.tsx';
import { urlOf } from '../root.ts';
import { sessionState } from '../session/session.ts';
import { type Line, splitJson, splitLines, splitXml } from './lines.ts';

const kinds = ['JSON', 'XML', 'curl'] as const;
type Kind = (typeof kinds)[number];
const mediaTypes = { JSON: 'application/json', XML: 'application/xml' } as const;

/** Without anybody's secret. */
function commandFor(id: string): string {
  const { value } = sessionState;
  const isKey = 'session' in value && value.session.credentials.kind === 'key';
  const credentials = isKey ? '--user "$KEY"' : '-H "Authorization: Bearer $TOKEN"';
  return `curl ${credentials} \\\n  -H "Accept: application/json" \\\n  '${urlOf(`users/${id}`)}'`;
}

interface RepresentationProps {
  readonly id: string;
  /** Another one: it is asked for again. */
  readonly version: string;
}

interface SentProps extends RepresentationProps {
  readonly kind: keyof typeof mediaTypes;
}

function Sent({ id, version, kind }: SentProps) {
  const question = { id, version, accept: mediaTypes[kind] };
  const { value, failure } = useAnswer(question, ({ id: of, accept }, signal) =>
    readText(of, accept, signal),
  );
  if (failure !== undefined) return <p class="quiet">It could not be read.</p>;
  return <Shown text={value ?? ''} lines={kind === 'JSON' ? splitJson : splitXml} />;
}

interface ShownProps {
  readonly text: string;
  readonly lines: (text: string) => readonly Line[];
}

/** The lines are elements, not line breaks: the text is the one that was sent. */
const Shown = ({ text, lines }: ShownProps) => (
  <div class="shown">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which has to go by the keyboard too */}
    <pre tabIndex={0}>
      {lines(text).map(({ depth, text: line }, index) => (
        <span key={index} class={`line depth-${Math.min(depth, 6)}`}>
          {line}
        </span>
      ))}
    </pre>
    <button
      type="button"
      class="bare"
      aria-label="Copy"
      title="Copy"
      onClick={() => navigator.clipboard?.writeText(text)}
    >
      <Icon name="copy" />
    </button>
  </div>
);

/** The user as the API sends it, for whoever writes a client. */
export function Representation(props: RepresentationProps) {
  const [kind, setKind] = useState<Kind>('JSON');
  return (
    <section class="representation" aria-labelledby="representation">
      <h2 id="representation">As the API sends it</h2>
      <fieldset class="segments">
        <legend class="unseen">Format</legend>
        {kinds.map((one) => (
          <label key={one}>
            <input type="radio" name="format" checked={kind === one} onChange={() => setKind(one)} />
            <span>{one}</span>
          </label>
        ))}
      </fieldset>
      {kind === 'curl' ? (
        <Shown text={commandFor(props.id)} lines={splitLines} />
      ) : (
        <Sent key={kind} {...props} kind={kind} />
      )}
    </section>
  );
}
