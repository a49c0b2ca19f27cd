/** Runs the command line in this process, in a tenth of the time of a new process, for cases in which no process is to be seen. */
import { setFlagsFromString } from 'node:v8';
import { runProgram } from '../../src/commands/program.ts';
import { type Ended, type Environment, environmentOf, isProgress } from '../support/process.ts';

interface Called {
  readonly code: number;
  /** Standard output, and standard error. */
  readonly log: string;
  readonly told: string;
}

/** Keeps what is written to standard output and standard error. @returns the texts so far, and ends it */
function captureOutputs() {
  const streams = [process.stdout, process.stderr] as const;
  const before = streams.map((stream) => ({
    stream,
    write: stream.write,
    isTTY: stream.isTTY,
    errors: stream.listeners('error'),
  }));
  const written = streams.map((stream) => {
    const pieces: string[] = [];
    // As a pipe: a terminal of whoever runs the tests would give a help its width.
    stream.isTTY = false;
    stream.write = (piece: string | Uint8Array, ...more: unknown[]) => {
      pieces.push(String(piece));
      const done = more.find((one) => typeof one === 'function');
      if (done !== undefined) setImmediate(done as () => void);
      return true;
    };
    return pieces;
  });
  return {
    texts: () => written.map((pieces) => pieces.join('')),
    end: () => {
      for (const { stream, write, isTTY, errors } of before) {
        stream.write = write;
        stream.isTTY = isTTY;
        for (const listener of stream.listeners('error'))
          if (!errors.includes(listener)) stream.off('error', listener as () => void);
      }
    },
  };
}

/** What a process has once, as it was before. */
function keepProcess(): () => void {
  const { env, exitCode } = process;
  const folder = process.cwd();
  const signals = (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(
    (signal) => [signal, process.listeners(signal)] as const,
  );
  return () => {
    process.env = env;
    process.exitCode = exitCode;
    process.chdir(folder);
    for (const [signal, listeners] of signals)
      for (const listener of process.listeners(signal))
        if (!listeners.includes(listener)) process.off(signal, listener);
    // V8's defaults, which some commands change.
    setFlagsFromString('--heap-growing-percent=0');
    setFlagsFromString('--semi-space-growth-factor=2');
  };
}

/** @param command, env as for `launch` @param folder its working folder; omitted: this process's */
export async function call(
  command: readonly string[],
  folder = process.cwd(),
  env: Environment = {},
): Promise<Called> {
  const restore = keepProcess();
  const outputs = captureOutputs();
  try {
    process.env = environmentOf(env);
    process.exitCode = undefined;
    process.chdir(folder);
    await runProgram(command);
    const [log = '', told = ''] = outputs.texts();
    return { code: Number(process.exitCode ?? 0), log, told };
  } finally {
    outputs.end();
    restore();
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter((_, at, all) => at < all.length - 1);

/**
 * As `run`, here: a command that does its work with files. Signals, pipes, terminals, full disks and an end at once need a process; so does
 * standard output with a file, and a store that is open here meanwhile.
 */
export async function runHere(
  command: readonly string[],
  folder: string,
  env?: Environment,
): Promise<Omit<Ended, 'signal'>> {
  const { code, log, told } = await call(command, folder, env);
  return { code, log: linesOf(log), told: linesOf(told).filter((line) => !isProgress(line)) };
}
