import { useEffect, useRef } from 'preact/hooks';
import type { Field } from '../schema/fields.ts';
import { texts } from '../texts/texts.ts';
import { idOf, type Mistakes } from './form-context.ts';
import { describePointer } from './pointers.ts';

interface MistakeSummaryProps {
  readonly fields: readonly Field[];
  readonly mistakes: Mistakes;
  /** As they were found at first. */
  readonly found: Mistakes;
}

/** Mistakes without a field, such as the size of the resource, appear only here. */
function goToField(event: MouseEvent, pointer: string): void {
  event.preventDefault();
  document.getElementById(idOf(pointer))?.focus();
}

/** All mistakes, each with a link to its field. It takes the focus when it appears. */
export function MistakeSummary({ fields, mistakes, found }: MistakeSummaryProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), [found]);
  return (
    <div class="notice bad" role="alert" tabIndex={-1} ref={element}>
      <p class="strong">{texts.form.mistakes}</p>
      <ul>
        {[...mistakes].map(([pointer, mistake]) => {
          const place = describePointer(fields, pointer);
          return (
            <li key={pointer}>
              {place !== '' && (
                <a href={`#${idOf(pointer)}`} onClick={(event) => goToField(event, pointer)}>
                  {place}
                </a>
              )}
              {place === '' ? mistake : `: ${mistake}`}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
