/** The part of the driver's TopologyDescription that is used. */
interface Topology {
  readonly servers: ReadonlyMap<
    string,
    { readonly type: string; readonly address: string; readonly electionId: unknown }
  >;
}

/** Address and election: a server that is elected again counts as another primary. */
function primaryOf({ servers }: Topology): string | undefined {
  const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary');
  return primary && `${primary.address} ${primary.electionId ?? ''}`;
}

/**
 * Keeps majority reads from missing answered writes after an election. A new primary has these writes, but doesn't know at
 * once that a majority has them too; until then it answers majority reads with an older state. So reads wait until the new
 * primary has answered one linearizable read, which makes a majority confirm its state.
 */
export class ElectionFence {
  readonly #confirm: () => Promise<unknown>;
  #primary: string | undefined;
  #confirmed: string | undefined;
  #confirming: Promise<void> | undefined;
  #elections = 0;

  /** @param confirm makes a majority agree with the primary: a linearizable read of anything */
  constructor(confirm: () => Promise<unknown>) {
    this.#confirm = confirm;
  }

  /** For every `topologyDescriptionChanged`, which the driver emits before it chooses a server by the new description. */
  onTopologyChange(topology: Topology): void {
    // Without a known primary, nothing is read; the next one may be the previous one.
    const primary = primaryOf(topology) ?? this.#primary;
    if (this.#primary !== undefined && primary !== this.#primary) this.#elections += 1;
    this.#primary = primary;
  }

  /** The number of times that another primary was seen after the first one. */
  get elections(): number {
    return this.#elections;
  }

  /** Runs the read, and repeats it if the primary has changed meanwhile: it may have gone to the new one. */
  async read<T>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      while (this.#confirmed !== this.#primary) {
        this.#confirming ??= this.#confirmPrimary();
        await this.#confirming;
      }
      const primary = this.#primary;
      const result = await read();
      if (primary === this.#primary) return result;
    }
  }

  /** Like `read`, from a primary that a majority has just confirmed: a deposed primary may not know yet that it is deposed. */
  async readConfirmed<T>(read: () => Promise<T>): Promise<T> {
    await this.#confirm();
    return await this.read(read);
  }

  async #confirmPrimary(): Promise<void> {
    const primary = this.#primary;
    try {
      await this.#confirm();
      this.#confirmed = primary;
    } finally {
      this.#confirming = undefined;
    }
  }
}
