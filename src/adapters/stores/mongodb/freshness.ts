/** What the driver's description of a topology tells about leaders. */
export interface Members {
  readonly servers: ReadonlyMap<
    string,
    { readonly type: string; readonly address: string; readonly electionId: unknown }
  >;
}

/** Which primary is known, and since which election: another one is another leader, also at the same address. */
function leaderOf({ servers }: Members): string | undefined {
  const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary');
  return primary && `${primary.address} ${primary.electionId ?? ''}`;
}

/**
 * Keeps reads from missing answered writes after an election. A new primary has them all, but doesn't know at once
 * that a majority does, and until then shows majority reads an older state. So each one is first made to have a
 * majority confirm its own beginning, which comes after everything that was answered under those before it.
 */
export class Freshness {
  readonly #confirm: () => Promise<unknown>;
  #leader: string | undefined;
  #confirmed: string | undefined;
  #confirming: Promise<void> | undefined;

  /** @param confirm has a majority agree with the primary: a linearizable read of anything */
  constructor(confirm: () => Promise<unknown>) {
    this.#confirm = confirm;
  }

  /** To be told of every change before a server is chosen by it. */
  changed(members: Members): void {
    // While none is known nothing is read; the next one may be the one before.
    this.#leader = leaderOf(members) ?? this.#leader;
  }

  /** Runs the read, again if the primary has changed on the way: it may have gone to the new one. */
  async read<T>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      while (this.#confirmed !== this.#leader) {
        this.#confirming ??= this.#confirmation();
        await this.#confirming;
      }
      const leader = this.#leader;
      const result = await read();
      if (leader === this.#leader) return result;
    }
  }

  async #confirmation(): Promise<void> {
    const leader = this.#leader;
    try {
      await this.#confirm();
      this.#confirmed = leader;
    } finally {
      this.#confirming = undefined;
    }
  }
}
