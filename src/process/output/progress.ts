/** The progress of a command, on standard error: a bar on a terminal, otherwise a line every ten seconds. */
import { describeCount, type Noun } from '../../domain/validation/describe-count.ts';

/** Makes text safe for a terminal: characters that would control it, or hide or reorder text, are shown by their number. */
export const toPrintable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/** Between two lines without a terminal, in milliseconds. */
const lineInterval = 10_000;

/** Between two drawings of the bar, in milliseconds. */
const drawInterval = 100;

const barWidth = 40;

const toLineStart = '\r';
const eraseLine = '\u001b[2K';
const eraseToLineEnd = '\u001b[K';

const formatNumber = (number: number): string => number.toLocaleString('en');

/** Such as 1:02:03. */
function formatTime(seconds: number): string {
  const [whole, minutes] = [Math.ceil(seconds), Math.floor(Math.ceil(seconds) / 60)];
  const two = (number: number) => String(number).padStart(2, '0');
  const end = two(whole % 60);
  return minutes < 60 ? `${minutes}:${end}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${end}`;
}

/** The work done, and its rate. @param noun, total as for `startProgress` */
function courseOf({ name, plural }: Noun, total: number | undefined) {
  const begin = performance.now();
  let state: { count: number; done: number; note?: string | undefined } = { count: 0, done: 0 };
  /** Between 0 and 1; undefined without a known total. */
  const part = () => (total === undefined ? undefined : Math.min(1, state.done / Math.max(1, total)));
  const describe = (): string => {
    const seconds = (performance.now() - begin) / 1000;
    const [done, { count, note }] = [part(), state];
    return [
      ...(done === undefined ? [] : [`${Math.floor(done * 100)}%`]),
      describeCount(count, name, plural, formatNumber(count)),
      `${formatNumber(Math.round(count / Math.max(seconds, 1)))} a second`,
      ...(done === undefined || done === 0 ? [] : [`${formatTime((seconds / done) * (1 - done))} left`]),
      ...(note === undefined ? [] : [note]),
    ].join(', ');
  };
  const update: Progress['update'] = (count, done = count, note) => {
    state = { count, done, note };
  };
  return { part, describe, update };
}

type Course = ReturnType<typeof courseOf>;

interface Progress {
  /** @param count so far @param done so far of the total; the count when left out @param note the reason for a wait */
  update(count: number, done?: number, note?: string): void;
  /** Removes the bar. Calling it again does nothing. */
  stop(): void;
}

/** The note for rows that wait for other clients, which write the same resources; undefined for no rows. */
export const describeWaiting = ({ name, plural }: Noun, rows: number): string | undefined =>
  rows === 0 ? undefined : `waiting for others who write ${describeCount(rows, name, plural)}`;

/** Prints above the current bar; undefined without a bar. */
let printAbove: ((text: string) => void) | undefined;

/** On standard error, above a bar. */
export function printLine(line: string): void {
  const text = `${line.split('\n').map(toPrintable).join('\n')}\n`;
  if (printAbove) printAbove(text);
  else process.stderr.write(text);
}

const drawBar = (part: number): string => `[${'='.repeat(Math.round(part * barWidth)).padEnd(barWidth)}] `;

function startBar(course: Course): Progress {
  let drawnAt = 0;
  const draw = () => {
    const part = course.part();
    const bar = part === undefined ? '' : drawBar(part);
    process.stderr.write(`${toLineStart}${bar}${course.describe()}${eraseToLineEnd}`);
    drawnAt = performance.now();
  };
  const erase = () => process.stderr.write(toLineStart + eraseLine);
  printAbove = (text) => {
    erase();
    process.stderr.write(text);
    draw();
  };
  draw();
  const timer = setInterval(draw, drawInterval);
  let stopped = false;
  return {
    update: (...given) => {
      course.update(...given);
      // The timer is late when the command keeps the event loop busy.
      if (!stopped && performance.now() - drawnAt > 2 * drawInterval) draw();
    },
    stop: () => {
      if (stopped) return;
      stopped = true;
      printAbove = undefined;
      clearInterval(timer);
      draw();
      erase();
    },
  };
}

function startLines(course: Course): Progress {
  const timer = setInterval(() => printLine(course.describe()), lineInterval);
  return { update: course.update, stop: () => clearInterval(timer) };
}

/**
 * Shows the progress until it is stopped; stop it after errors, too. Only one at a time.
 * @param noun names the counted things
 * @param total in the unit of `update`: the count, or a file's bytes. If undefined, no bar is shown
 */
export const startProgress = (noun: Noun, total: number | undefined): Progress =>
  (process.stderr.isTTY ? startBar : startLines)(courseOf(noun, total));
