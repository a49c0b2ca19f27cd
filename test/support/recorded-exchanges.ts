/** One exchange of each kind that the tests of a run have had with the service, for a linter to read them all. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, type Fields, onExchange } from './exchanges.ts';

/** An exchange, and the test that had it first. */
interface Recorded {
  readonly exchange: Exchange;
  readonly test: string;
}

/** What differs from one answer to the next and says nothing of its kind. */
const passing = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|after=[\w-]+|"[^"]*"|\d+/gi;

/** A target with its ids and values left out. */
const routeOf = (target: string): string => target.replace(/=[^&]*/g, '=').replace(passing, ':id');

const fields = (all: Fields): string[] =>
  all.map(([name, value]) => `${name}: ${/^date$/i.test(name) ? '' : value.replace(passing, '')}`).sort();

/** Exchanges of one kind have the same method, route and status, were asked by the same fields and answered with the like. */
const kindOf = ({ method, target, requestHeaders, status, headers, body }: Exchange): string =>
  JSON.stringify([
    [method, routeOf(target).slice(0, 200), status, body.length > 0],
    requestHeaders.map(([name]) => name.toLowerCase()).sort(),
    fields(headers),
  ]);

/** Begins to record. `running` says which test runs. Each call of the result gives the kinds that are new since the last one. */
export function recordExchanges(running: () => string): () => readonly Recorded[] {
  const kinds = new Set<string>();
  let fresh: Recorded[] = [];
  onExchange((exchange) => {
    const kind = kindOf(exchange);
    if (kinds.has(kind)) return;
    kinds.add(kind);
    fresh.push({ exchange, test: running() });
  });
  return () => {
    const since = fresh;
    fresh = [];
    return since;
  };
}

/** Appends them to a file. */
export function writeExchanges(file: string, all: readonly Recorded[]): void {
  for (const { exchange, test } of all) {
    const line = { exchange: { ...exchange, body: exchange.body.toString('base64') }, test };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

/** One of each kind that the processes of a run have written. */
export function readExchanges(folder: string): readonly Recorded[] {
  const kinds = new Map<string, Recorded>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.exchanges')) continue;
    for (const line of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
      const { exchange, test } = JSON.parse(line);
      const one = { exchange: { ...exchange, body: Buffer.from(exchange.body, 'base64') }, test };
      kinds.set(kindOf(one.exchange), one);
    }
  }
  return [...kinds.values()];
}
