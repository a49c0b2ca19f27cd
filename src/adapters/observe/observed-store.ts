/** Tells of every operation of a store, whatever it is called, from outside: stores know nothing of it. */
import { DomainError } from '../../domain/errors.ts';
import type { UserStore } from '../../domain/ports.ts';

/**
 * How an operation went: `ok`; `stale` for a change whose user has another version or is gone; the code of a DomainError; `fault` for
 * any other error.
 */
export type Outcome = string;

export interface OperationObserver {
  /** @param operation a method of the port @returns called when it has ended */
  begin(operation: string): ((outcome: Outcome) => void) | undefined;
}

/** They are no operations on users. */
const passedOn: ReadonlySet<PropertyKey> = new Set(['constructor', 'close', 'readings']);

const outcomeOf = (result: unknown): Outcome => (result === false ? 'stale' : 'ok');
const outcomeOfError = (error: unknown): Outcome => (error instanceof DomainError ? error.code : 'fault');

type Method = (...given: unknown[]) => unknown;

/** The caller gets the very promise of the store: to observe it takes nothing of its time. */
function observe(name: string, method: Method, { begin }: OperationObserver): Method {
  return (...given) => {
    const end = begin(name);
    if (end === undefined) return method(...given);
    let result: unknown;
    try {
      result = method(...given);
    } catch (error) {
      end(outcomeOfError(error));
      throw error;
    }
    if (result instanceof Promise)
      result.then(
        (value) => end(outcomeOf(value)),
        (error: unknown) => end(outcomeOfError(error)),
      );
    else end(outcomeOf(result));
    return result;
  };
}

/** The same store, with every method of it observed: those of ports that it has beside UserStore too. */
export function observeStore<T extends UserStore>(store: T, observer: OperationObserver): T {
  const observed = new Map<PropertyKey, Method>();
  return new Proxy(store, {
    get(target, name) {
      const known = observed.get(name);
      if (known !== undefined) return known;
      // Not of the proxy: a class's private members are its own.
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = (value as Method).bind(target);
      const wrapped = passedOn.has(name) ? method : observe(String(name), method, observer);
      observed.set(name, wrapped);
      return wrapped;
    },
  });
}
