/** Processes of the service on one store, each at a separate port, which are killed and started again. */
import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { until } from '../../support/deadlines.ts';
import { aFreePort } from '../../support/free-port.ts';
import { aDataFolder, type Environment, type Process, startProcess } from '../../support/process.ts';
import { bearers } from '../races.ts';

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const isGone = (pid: number): boolean => !existsSync(`/proc/${pid}`);

export class Services {
  /** Keeps connections of all clients open. */
  readonly agent = new Agent({ keepAlive: true });
  readonly #folder = aDataFolder();
  readonly #env: Environment;
  readonly #ports: readonly number[];
  readonly #all: Process[] = [];
  #asked = 0;

  private constructor(env: Environment, ports: readonly number[]) {
    this.#env = { ...bearers, USERS_LOG_LEVEL: 'warn', ...env };
    this.#ports = ports;
  }

  static async start(count: number, env: Environment): Promise<Services> {
    const services = new Services(env, await Promise.all(Array.from({ length: count }, aFreePort)));
    for (const at of services.#ports.keys()) await services.#start(at);
    return services;
  }

  get folder(): string {
    return this.#folder;
  }

  get count(): number {
    return this.#ports.length;
  }

  /** Of each in turn, whether it runs or not. */
  get url(): string {
    this.#asked += 1;
    return `http://127.0.0.1:${this.#ports[this.#asked % this.count]}`;
  }

  async authorization(scopes?: readonly string[]): Promise<string> {
    return `Bearer ${await this.process(0).token(scopes)}`;
  }

  process(at: number): Process {
    const found = this.#all[at];
    if (found === undefined) throw new Error(`there is no process ${at}`);
    return found;
  }

  /** With its workers, which end with it. */
  async kill(at: number): Promise<void> {
    const { pid } = this.process(at);
    const workers = childrenOf(pid);
    await this.process(at).stop('SIGKILL');
    await until('the workers have ended', () => workers.every(isGone));
  }

  async restart(at: number): Promise<void> {
    await this.#start(at);
  }

  /** One of the workers, which the primary replaces. */
  async killWorker(at: number, nth: number): Promise<void> {
    const workers = childrenOf(this.process(at).pid);
    const worker = workers[nth % workers.length];
    if (worker === undefined) return;
    process.kill(worker, 'SIGKILL');
    await until('the worker has ended', () => isGone(worker));
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    await Promise.all(this.#all.map((one) => one.stop()));
  }

  async #start(at: number): Promise<void> {
    const env = { ...this.#env, USERS_PORT: String(this.#ports[at]) };
    this.#all[at] = await startProcess({ folder: this.#folder, env });
  }
}
