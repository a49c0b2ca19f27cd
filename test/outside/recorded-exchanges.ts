/** One exchange of each kind that the tests of this run have had with the service, for a linter to read them all at the end. */
import { type Exchange, type Fields, onExchange } from '../support/exchanges.ts';

/** An exchange, and the test that had it first. */
export interface Recorded {
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

/** Begins to record. `test` says which one runs. */
export function recordExchanges(test: () => string): () => readonly Recorded[] {
  const kinds = new Map<string, Recorded>();
  onExchange((exchange) => {
    const kind = kindOf(exchange);
    if (!kinds.has(kind)) kinds.set(kind, { exchange, test: test() });
  });
  return () => [...kinds.values()];
}
