/**
 * Commands in processes that have loaded the program before: a third of the CPU time of a new process. Whether a command ends by itself,
 * and what a signal or another output does to it, only a process of its own shows.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What the process is asked for. */
export interface Asked {
  readonly main: string;
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Behind what the command writes, in both outputs. */
  readonly mark: string;
}

interface Answered {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** All that it wrote. */
  readonly out: string;
  readonly err: string;
}

const idle: ChildProcess[] = [];
const mark = '\u0000end of the command\u0000';

function start(env: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(fileURLToPath(new URL('warm-program.ts', import.meta.url)), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env,
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8');
  return child;
}

/** `ended` resolves at the end of the command, or of the process where the command ends it. */
export function runWarm(asked: Omit<Asked, 'mark'>): { child: ChildProcess; ended: Promise<Answered> } {
  const child = idle.pop() ?? start(asked.env);
  const over = Promise.withResolvers<Pick<Answered, 'code' | 'signal'>>();
  const texts = { out: '', err: '' };
  let told: number | undefined;
  const settle = () => {
    if (told !== undefined && texts.out.endsWith(mark) && texts.err.endsWith(mark))
      over.resolve({ code: told, signal: null });
  };
  const listeners = [
    [
      child,
      'message',
      (code: number) => {
        told = code;
        settle();
      },
    ],
    [child, 'close', (code: number | null, signal: NodeJS.Signals | null) => over.resolve({ code, signal })],
    [
      child.stdout,
      'data',
      (piece: string) => {
        texts.out += piece;
        settle();
      },
    ],
    [
      child.stderr,
      'data',
      (piece: string) => {
        texts.err += piece;
        settle();
      },
    ],
  ] as const;
  for (const [from, event, hear] of listeners) from?.on(event, hear);
  child.send({ ...asked, mark });
  const ended = over.promise.then((end) => {
    for (const [from, event, hear] of listeners) from?.off(event, hear);
    if (told !== undefined) idle.push(child);
    return { ...end, out: texts.out.replace(mark, ''), err: texts.err.replace(mark, '') };
  });
  return { child, ended };
}
