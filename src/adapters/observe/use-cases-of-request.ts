/** Attributes the store's operations to their request. */
import type { Principal } from '../../domain/ports.ts';
import type { OperationObserver } from './observed-store.ts';

type UseCase = (...given: unknown[]) => unknown;

/**
 * Use cases by principal: for a principal that `find` knows, an object of a single request, they are made on a store that `find`'s observer
 * watches. An AsyncLocalStorage would do the same, but on Node 22 costs a tenth of a small read, for every
 * request, once one is watched.
 * @param make the use cases, on a store that the observer watches; without one, on the store itself
 */
export function useCasesOfRequests<U extends object>(
  make: (operations?: OperationObserver) => U,
  find: (principal: Principal) => OperationObserver | undefined,
): U {
  const usual = make();
  const known = new Map<PropertyKey, UseCase>();
  function choose(name: PropertyKey): UseCase {
    const ofUsual = Reflect.get(usual, name) as UseCase;
    return (...given) => {
      const operations = find(given[0] as Principal);
      if (operations === undefined) return ofUsual(...given);
      return (Reflect.get(make(operations), name) as UseCase)(...given);
    };
  }
  return new Proxy(usual, {
    get(target, name) {
      if (typeof Reflect.get(target, name) !== 'function') return Reflect.get(target, name);
      const before = known.get(name);
      const chosen = before ?? choose(name);
      if (before === undefined) known.set(name, chosen);
      return chosen;
    },
  });
}
