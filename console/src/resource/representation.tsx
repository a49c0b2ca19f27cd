import { useState } from 'preact/hooks';
import { useAnswer } from '../answers/use-answer.ts';
import { readText } from '../api/directory.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Segments } from '../parts/fields.tsx';
import { Folded } from '../parts/folded.tsx';
import { urlOf } from '../root.ts';
import { kinds, type Ref } from '../schema/kinds.ts';
import { sessionState } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { type Line, splitJson, splitLines, splitXml } from './lines.ts';

const formats = ['JSON', 'XML', 'curl'] as const;
type Format = (typeof formats)[number];
const mediaTypes = { JSON: 'application/json', XML: 'application/xml' } as const;

/** Contains no secret. */
function commandFor({ kind, id }: Ref): string {
  const { value } = sessionState;
  const isKey = 'session' in value && value.session.credentials.kind === 'key';
  const credentials = isKey ? '--user "$KEY"' : '-H "Authorization: Bearer $TOKEN"';
  return `curl ${credentials} \\\n  -H "Accept: application/json" \\\n  '${urlOf(`${kinds[kind].plural}/${id}`)}'`;
}

interface RepresentationProps {
  readonly of: Ref;
  /** A new version is requested again. */
  readonly version: string;
}

interface SentProps extends RepresentationProps {
  readonly format: keyof typeof mediaTypes;
}

function Sent({ of, version, format }: SentProps) {
  const question = { of, version, accept: mediaTypes[format] };
  const { value, failure } = useAnswer(question, ({ accept }, signal) => readText(of, accept, signal));
  if (failure !== undefined) return <p class="quiet">{texts.resource.unreadable}</p>;
  return <Shown text={value ?? ''} lines={format === 'JSON' ? splitJson : splitXml} />;
}

interface ShownProps {
  readonly text: string;
  readonly lines: (text: string) => readonly Line[];
}

/** Lines are elements, not line breaks, so that the text is exactly the one that was sent. */
export const Shown = ({ text, lines }: ShownProps) => (
  <div class="shown">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which has to go by the keyboard too */}
    <pre tabIndex={0}>
      {lines(text).map(({ depth, text: line }, index) => (
        <span key={index} class="line" style={{ '--depth': Math.min(depth, 5) }}>
          {line}
        </span>
      ))}
    </pre>
    <CopyButton text={text} />
  </div>
);

/** The resource as the API sends it, for developers of clients. */
export function Representation(props: RepresentationProps) {
  const [format, setFormat] = useState<Format>('JSON');
  return (
    <Folded class="fold" summary={<span class="fold-name">{texts.resource.developers}</span>}>
      <div class="representation">
        <Segments
          label={texts.resource.format}
          name="format"
          value={format}
          options={formats.map((one) => [one, one])}
          onChoose={setFormat}
        />
        {format === 'curl' ? (
          <Shown text={commandFor(props.of)} lines={splitLines} />
        ) : (
          <Sent key={format} {...props} format={format} />
        )}
      </div>
    </Folded>
  );
}
