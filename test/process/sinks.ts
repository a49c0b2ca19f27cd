/** Outputs of a process that are not read until a test reads them. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, constants, openSync } from 'node:fs';
import { connect, createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';

export interface Sink {
  readonly end: number | Socket;
  /** Reads until a line matches, and returns all that was read. */
  readUntil(pattern: RegExp): Promise<string>;
  close(): void;
}

async function readUntil(stream: Socket, pattern: RegExp): Promise<string> {
  let all = '';
  let tail = '';
  for await (const piece of stream.setEncoding('utf8')) {
    all += piece;
    tail = tail.slice(tail.lastIndexOf('\n') + 1) + piece;
    if (pattern.test(tail)) break;
  }
  return all;
}

function aPipe(folder: string): Sink {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const end = openSync(path, constants.O_WRONLY);
  return {
    end,
    readUntil: (pattern) => readUntil(new Socket({ fd: openSync(`/proc/self/fd/${reader}`, 'r') }), pattern),
    close: () => {
      closeSync(end);
      closeSync(reader);
    },
  };
}

/** Such as the system's journal gives. */
async function aSocket(folder: string): Promise<Sink> {
  const path = join(folder, 'socket');
  const server = createServer({ pauseOnConnect: true }).listen(path);
  await once(server, 'listening');
  const end = connect(path);
  const [[reader]] = (await Promise.all([once(server, 'connection'), once(end, 'connect')])) as [
    [Socket],
    [],
  ];
  return {
    end,
    readUntil: (pattern) => readUntil(reader, pattern),
    close: () => {
      reader.destroy();
      end.destroy();
      server.close();
    },
  };
}

export const sinks = { pipe: aPipe, socket: aSocket };

/** Writes to the pipe in the folder until it takes no more. */
export function fillPipe(folder: string): void {
  const end = openSync(join(folder, 'pipe'), constants.O_WRONLY | constants.O_NONBLOCK);
  expect(() => {
    for (;;) appendFileSync(end, 'x'.repeat(4096));
  }).to.throw('EAGAIN');
  closeSync(end);
}
