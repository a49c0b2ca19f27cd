import { useEffect, useMemo, useState } from 'preact/hooks';
import { engine } from 'user-files';
import type { FileKindName, Preview, ReadWishes } from 'user-files/types';
import { Notice } from '../parts/notice.tsx';
import { files } from '../texts/files.ts';

interface PreviewedFile extends Pick<ReadWishes, 'corrections'> {
  readonly file: File;
}

/** The first rows, read again when a choice changes how they are read. Undefined until this file is read. */
export function usePreview(chosen: PreviewedFile, wishes: ReadWishes): Preview | undefined {
  const [shown, setShown] = useState<{ readonly of: File; readonly preview: Preview }>();
  const { file, corrections } = chosen;
  useEffect(() => {
    let isWanted = true;
    engine
      .preview(file, { ...wishes, corrections })
      .then((preview) => isWanted && setShown({ of: file, preview }));
    return () => {
      isWanted = false;
    };
  }, [file, corrections, JSON.stringify(wishes)]);
  return shown?.of === file ? shown.preview : undefined;
}

/** By heading: the path of its column, or undefined. @param own the person's choices, also for other files */
export const headingsOf = (
  { headings }: Preview,
  own: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(headings.map(({ heading, path = '' }) => [heading, own.get(heading) ?? path]));

/** The path of a custom attribute with the name of the heading. */
const ownAttribute = (heading: string): string => `attributes.${heading.replace(/[.\\]/g, '\\$&')}`;

interface HeadingChoiceProps {
  readonly heading: string;
  /** Empty: left out. */
  readonly path: string;
  readonly columns: readonly string[];
  readonly nameOf: (path: string) => string;
  readonly hasAttributes: boolean;
  readonly onChoose: (path: string) => void;
}

function HeadingChoice({ heading, path, columns, nameOf, hasAttributes, onChoose }: HeadingChoiceProps) {
  const offered = new Set([...columns, path, hasAttributes && heading !== '' ? ownAttribute(heading) : '']);
  offered.delete('');
  return (
    <select
      aria-label={files.fieldFor(heading)}
      value={path}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{files.leftOut}</option>
      {[...offered].map((column) => (
        <option key={column} value={column}>
          {nameOf(column)}
        </option>
      ))}
    </select>
  );
}

interface FileColumnsProps {
  readonly kind: FileKindName;
  readonly preview: Preview;
  /** For a table, by heading. Omitted: columns cannot be assigned. */
  readonly chosen: ReadonlyMap<string, string> | undefined;
  /** The name of the column of this path. */
  readonly nameOf: (path: string) => string;
  readonly onChoose: (heading: string, path: string) => void;
}

/** The first rows, below their fields. */
export function FileColumns({ kind, preview, chosen, nameOf, onChoose }: FileColumnsProps) {
  const columns = useMemo(() => engine.columnsOf(kind), [kind]);
  const { headings, rows } = preview;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="table-frame" tabIndex={0} aria-label={files.columns}>
      <table class="preview">
        <thead>
          <tr>
            {headings.map(({ heading }, at) => (
              <th key={at} scope="col">
                <bdi>{chosen === undefined ? nameOf(heading) : heading}</bdi>
              </th>
            ))}
          </tr>
          {chosen !== undefined && (
            <tr>
              {headings.map(({ heading }, at) => (
                <td key={at}>
                  <HeadingChoice
                    heading={heading}
                    path={chosen.get(heading) ?? ''}
                    columns={columns}
                    nameOf={nameOf}
                    hasAttributes={kind === 'user'}
                    onChoose={(path) => onChoose(heading, path)}
                  />
                </td>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {headings.map(({ heading }, at) => (
                <td key={at} class={chosen !== undefined && !chosen.get(heading) ? 'quiet' : ''}>
                  <bdi>{cells[at] ?? ''}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Names the headings without a field: in a wide table they are out of sight. */
export function LeftOut({ chosen }: Pick<FileColumnsProps, 'chosen'>) {
  const names = [...(chosen ?? [])].flatMap(([heading, path]) =>
    path === '' && heading !== '' ? heading : [],
  );
  return names.length === 0 ? null : <Notice tone="warning" title={files.leftOutNames(names.join(', '))} />;
}
