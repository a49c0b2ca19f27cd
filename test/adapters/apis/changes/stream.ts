/** A stream of server-sent events over a connection of its own, read as it comes. */
import { type IncomingMessage, request } from 'node:http';
import { until } from '../../../support/deadlines.ts';

interface StreamEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

export interface EventReader {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Those that have come. */
  readonly events: StreamEvent[];
  /** The ids in the changes that have come. */
  ids(): readonly string[];
  /** Resolves when there are so many changes. */
  changes(count: number): Promise<void>;
  /** Resolves at the end of the stream, or of its connection. */
  ended(): Promise<void>;
  /** The answer, for those who read it by themselves. */
  readonly response: IncomingMessage;
  close(): void;
}

function parseEvent(text: string): StreamEvent {
  const lines = text.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2));
  return Object.fromEntries(lines);
}

/** @param isRead false: nothing is read until `response` is */
export function openStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  isRead = true,
): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const events: StreamEvent[] = [];
      let [text, isOver] = ['', false];
      for (const end of ['end', 'close', 'error'])
        response.on(end, () => {
          isOver = true;
        });
      if (isRead)
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const parts = (text + chunk).split('\n\n');
          text = parts.pop() ?? '';
          events.push(...parts.map(parseEvent));
        });
      const found: string[] = [];
      let searched = 0;
      // Asked again and again while a test waits: each event is parsed once.
      const ids = () => {
        for (const { event, data } of events.slice(searched))
          if (data && !event) found.push(String(JSON.parse(data).id));
        searched = events.length;
        return [...found];
      };
      sent.off('error', reject).on('error', () => {});
      resolve({
        ...{ status: response.statusCode ?? 0, headers: response.headers, events, ids, response },
        changes: (count) => until(`there are ${count} changes`, () => ids().length >= count),
        ended: () => until('the stream has ended', () => isOver),
        close: () => sent.destroy(),
      });
    });
    sent.end();
  });
}
