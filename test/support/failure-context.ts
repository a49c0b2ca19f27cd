/**
 * What a test has seen when it fails, printed below its error (scripts/tests/worker.js): answers of 400 and above with their bodies and
 * the log lines of their requests, and the programs that it started with their last output.
 */
import type { ChildProcess } from 'node:child_process';
import { onExchange } from './exchanges.ts';

interface Refusal {
  /** Method and target. */
  readonly request: string;
  readonly status: number;
  /** `X-Request-Id`. */
  readonly requestId: string | undefined;
  body: string;
}

interface Program {
  readonly command: readonly string[];
  readonly child: ChildProcess;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

interface WatchedLog {
  readonly lines: readonly string[];
  isOver: boolean;
}

/** The last ones count. */
const mostRefusals = 10;
const mostLines = 40;
/** In characters. */
const mostBody = 1000;

let refusals: Refusal[] = [];
let refused = 0;
let programs: Program[] = [];
let logs: WatchedLog[] = [];

function add(refusal: Refusal): Refusal {
  refused += 1;
  refusals = [...refusals.slice(1 - mostRefusals), refusal];
  return refusal;
}

/** Begins to watch what tests send, by `exchange` and by `fetch`. */
export function watchAnswers(): void {
  onExchange(({ method, target, status, headers, body }) => {
    if (status < 400) return;
    const requestId = headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
    add({ request: `${method} ${target}`, status, requestId, body: body.toString('utf8', 0, mostBody) });
  });
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const answer = await send(input, init);
    if (answer.status < 400) return answer;
    const [method, url] =
      input instanceof Request ? [input.method, input.url] : [init?.method ?? 'GET', input];
    const requestId = answer.headers.get('x-request-id') ?? undefined;
    const refusal = add({ request: `${method} ${url}`, status: answer.status, requestId, body: '' });
    const keep = (body: string) => {
      refusal.body = body.slice(0, mostBody);
    };
    // A body that breaks off is the test's matter.
    answer
      .clone()
      .text()
      .then(keep, () => undefined);
    return answer;
  };
}

/** @param program is described until a test or suite begins after its end */
export function watchProgram(program: Program): void {
  programs.push(program);
}

/** @param lines of the log of a service in this process @returns ends the watch when the next test begins */
export function watchLog(lines: readonly string[]): () => void {
  const log = { lines, isOver: false };
  logs.push(log);
  return () => {
    log.isOver = true;
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** To be called when a suite or a test begins. */
export function forgetContext(): void {
  refusals = [];
  refused = 0;
  programs = programs.filter(({ child }) => !hasEnded(child));
  logs = logs.filter(({ isOver }) => !isOver);
}

const indented = (lines: readonly string[]): string[] =>
  lines.slice(-mostLines).map((line) => `  ${line.trimEnd()}`);

function describeProgram({ command, child, out, err }: Program): string[] {
  const end = hasEnded(child) ? `ended by ${child.signalCode ?? `exit code ${child.exitCode}`}` : 'running';
  return [
    `Process ${child.pid} (${['user-management', ...command].join(' ')}), ${end}`,
    ...(out.length > 0 ? [' its standard output:', ...indented(out)] : []),
    ...(err.length > 0 ? [' its standard error:', ...indented(err)] : []),
  ];
}

function describeRefusal(
  { request, status, requestId, body }: Refusal,
  all: readonly (readonly string[])[],
): string[] {
  const lines = requestId === undefined ? [] : all.flat().filter((line) => line.includes(requestId));
  return [`${status} for ${request}`, ...indented([body, ...lines].filter(Boolean))];
}

/**
 * The context at this moment, empty where there is none. Bodies and log lines may still be on their way: the result gives what has
 * arrived when it is called.
 */
export function captureContext(): () => string {
  const [seen, count] = [refusals, refused];
  const ends = programs.flatMap(describeProgram);
  const lines = [...logs.map((log) => log.lines), ...programs.map(({ out }) => out)];
  return () => {
    const left = count > seen.length ? [`${count} answers of 400 and above, at last:`] : [];
    return [...left, ...seen.flatMap((one) => describeRefusal(one, lines)), ...ends].join('\n');
  };
}
