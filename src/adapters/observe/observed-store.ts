/** A decorator that reports every operation of a store to an observer. */
import { DomainError } from '../../domain/base/errors.ts';
import type { UserStore } from '../../domain/ports.ts';

/**
 * The outcome of an operation: `ok`; `stale` for a change whose user has another version or is gone; the code of a DomainError; `fault` for
 * any other error.
 */
export type Outcome = string;

export interface OperationObserver {
  /** @param operation a method of the port @returns called when it has ended */
  begin(operation: string): ((outcome: Outcome) => void) | undefined;
}

/** Methods that aren't operations on users. */
const passedOn: ReadonlySet<PropertyKey> = new Set(['constructor', 'close', 'readings']);

const outcomeOf = (result: unknown): Outcome => (result === false ? 'stale' : 'ok');
const outcomeOfError = (error: unknown): Outcome => (error instanceof DomainError ? error.code : 'fault');

type Method = (...given: unknown[]) => unknown;

/** The caller gets the store's own promise, without delay. */
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

/** Of the object and its classes, except Object's own. */
function methodNames(object: object): string[] {
  const names = new Set<string>();
  for (let at = object; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names].filter((name) => typeof Reflect.get(object, name, object) === 'function');
}

/**
 * A store with every method of this one observed, those of ports that it has beside UserStore too. An object of its own: a Proxy would
 * keep V8 from making one piece of a use case and the store.
 */
export function observeStore<T extends UserStore>(store: T, observer: OperationObserver): T {
  const groups = observeMethods(store.groups, observer, 'groups.');
  return { ...observeMethods(store, observer, ''), groups };
}

/** @param prefix of the operations' names */
function observeMethods<T extends object>(store: T, observer: OperationObserver, prefix: string): T {
  const methods = methodNames(store).map((name): [string, Method] => {
    // Not of the new object: a class's private members are its own.
    const method = (Reflect.get(store, name) as Method).bind(store);
    return [name, passedOn.has(name) ? method : observe(prefix + name, method, observer)];
  });
  return Object.fromEntries(methods) as unknown as T;
}
