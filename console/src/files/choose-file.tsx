import { useRef, useState } from 'preact/hooks';
import { engine } from 'user-files';
import { type KindName, kinds } from '../schema/kinds.ts';
import { files } from '../texts/files.ts';
import { headingOf } from './column-name.ts';
import { download } from './save-file.ts';

interface ChooseFileProps {
  /** Such as `.csv`. */
  readonly endings: readonly string[];
  readonly file: File | undefined;
  readonly isDisabled: boolean;
  /** The file is checked or imported: in one line. */
  readonly isBrief: boolean;
  readonly onChoose: (file: File) => void;
}

/** A file chosen or dropped. */
export function ChooseFile({ endings, file, isDisabled, isBrief, onChoose }: ChooseFileProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { choose, chooseAnother, drop, formats, size } = files;
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(is);
  };
  return (
    <section
      aria-label={choose}
      class={`drop ${isOver ? 'over' : ''} ${isBrief ? 'actions' : ''}`}
      onDragEnter={over(true)}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event);
        const dropped = event.dataTransfer?.files[0];
        if (dropped !== undefined && !isDisabled) onChoose(dropped);
      }}
    >
      {file !== undefined && (
        <p>
          <bdi class="strong">{file.name}</bdi> <span class="quiet">{size(file.size)}</span>
        </p>
      )}
      <p>
        <button
          type="button"
          disabled={isDisabled}
          class={file === undefined ? 'primary' : ''}
          onClick={() => input.current?.click()}
        >
          {file === undefined ? choose : chooseAnother}
        </button>{' '}
        {!isBrief && <span class="by-mouse">{drop}</span>}
      </p>
      {!isBrief && <p class="quiet">{formats}</p>}
      <input
        ref={input}
        type="file"
        hidden
        accept={[...endings, '.gz'].join(',')}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          if (chosen !== undefined) onChoose(chosen);
          // The same file may be chosen again, once it is corrected.
          currentTarget.value = '';
        }}
      />
    </section>
  );
}

interface TemplateProps {
  readonly kind: KindName;
  /** The name of the column of this path. */
  readonly nameOf: (path: string) => string;
}

/** A table with the headings only. */
export function Template({ kind, nameOf }: TemplateProps) {
  const save = () => {
    const columns = engine.columnsOf(kind).map((path) => headingOf(kind, path));
    const headings = columns.filter((heading) => !heading.startsWith('@'));
    download(new Blob([engine.printTable([headings])]), `${kinds[kind].plural}.csv`);
  };
  return (
    <p class="quiet">
      {files.templateHint(nameOf(kinds[kind].uniqueName))}{' '}
      <button type="button" class="plain" onClick={save}>
        {files.template}
      </button>
    </p>
  );
}
