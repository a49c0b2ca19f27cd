import { useEffect, useState } from 'preact/hooks';

/** A value that components follow, for the little state that is neither in the address nor in the service. */
export class Observable<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  /** @returns a function that stops following */
  follow(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the first value that passes, now or later; rejects when the signal is aborted. */
  until(test: (value: T) => boolean, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (test(this.#value)) return Promise.resolve(this.#value);
    return new Promise((resolve, reject) => {
      const leave = this.follow((value) => {
        if (!test(value)) return;
        leave();
        resolve(value);
      });
      signal?.addEventListener('abort', () => {
        leave();
        reject(signal.reason);
      });
    });
  }
}

export function useObservable<T>(observable: Observable<T>): T {
  const [value, setValue] = useState(() => observable.value);
  useEffect(() => {
    // It may have changed between the first drawing and this.
    setValue(() => observable.value);
    return observable.follow((next) => setValue(() => next));
  }, [observable]);
  return value;
}
