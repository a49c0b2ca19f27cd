/** Where a walk came upon the first who match, after it had looked at many who don't: the same list begins there while nobody writes. */
import type { UserQuery } from '../../../domain/ports.ts';
import type { Stretch } from './stretches.ts';

const maxShortcuts = 20;

export class Shortcuts {
  readonly #known = new Map<string, { readonly state: number; readonly stretches: readonly Stretch[] }>();

  /** @param state changes with every write */
  find(query: UserQuery, state: number): readonly Stretch[] | undefined {
    const known = this.#known.get(nameOf(query));
    return known?.state === state ? known.stretches : undefined;
  }

  keep(query: UserQuery, state: number, stretches: readonly Stretch[]): void {
    const name = nameOf(query);
    this.#known.delete(name);
    this.#known.set(name, { state, stretches });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxShortcuts && oldest !== undefined) this.#known.delete(oldest);
  }
}

const nameOf = ({ filters, terms, sort, after, backward }: UserQuery): string =>
  JSON.stringify([filters, terms, sort, after, backward]);
