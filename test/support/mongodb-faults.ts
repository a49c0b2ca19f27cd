/** Faults of a replica set whose members the tests have started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { deadline } from './deadlines.ts';
import { directlyTo, type root } from './mongodb.ts';
import { untilStopped } from './processes.ts';

export class FaultySet {
  readonly #set: MongoMemoryReplSet;
  readonly #uri: string;
  /** By port, of those that were started again. */
  readonly #restarted = new Map<string, number>();
  readonly #frozen: number[] = [];

  /** @param uri of an administrator */
  constructor(set: MongoMemoryReplSet, uri: string) {
    [this.#set, this.#uri] = [set, uri];
  }

  /** Asked for as an operator would; gone with the member that answers. */
  async admin<T>(ask: (client: MongoClient) => Promise<T>, at = this.#uri): Promise<T> {
    const client = new MongoClient(at, { serverSelectionTimeoutMS: deadline });
    try {
      return await ask(client);
    } finally {
      await client.close();
    }
  }

  /** That of a service, as docs/operate/mongodb.md has it. */
  async createAccount(database: string): Promise<typeof root> {
    const account = { user: 'service', password: 'service-password' };
    const roles = [{ role: 'readWrite', db: database }];
    const command = { createUser: account.user, pwd: account.password, roles };
    await this.admin((client) => client.db('admin').command(command));
    return account;
  }

  /** `host:port` */
  primary(): Promise<string> {
    return this.admin(async (client) => String((await client.db().admin().command({ hello: 1 })).primary));
  }

  async stepDown(): Promise<void> {
    const command = { replSetStepDown: deadline / 1000, force: true };
    await this.admin((client) => client.db().admin().command(command));
  }

  /** For the cases that follow it may be elected again. */
  async letRun(address: string): Promise<void> {
    await this.admin(
      (client) => client.db().admin().command({ replSetFreeze: 0 }),
      directlyTo(address, this.#uri),
    );
  }

  pidOf(address: string): number {
    const [port = ''] = /\d+$/.exec(address) ?? [];
    const server = this.#set.servers.find(({ instanceInfo }) => String(instanceInfo?.port) === port);
    const pid = this.#restarted.get(port) ?? server?.instanceInfo?.instance.mongodProcess?.pid;
    return pid ?? expect.fail(`no member at ${address}`);
  }

  get addresses(): readonly string[] {
    return this.#set.servers.map(({ instanceInfo }) => `${instanceInfo?.ip}:${instanceInfo?.port}`);
  }

  async freeze(address: string): Promise<void> {
    const pid = this.pidOf(address);
    process.kill(pid, 'SIGSTOP');
    this.#frozen.push(pid);
    await untilStopped(pid);
  }

  thaw(): void {
    for (const pid of this.#frozen.splice(0)) process.kill(pid, 'SIGCONT');
  }

  kill(address: string): void {
    process.kill(this.pidOf(address), 'SIGKILL');
  }

  /** Kills the member, and starts it again with its data once that was done. */
  async restartAfter(address: string, meanwhile: () => Promise<void>): Promise<void> {
    const pid = this.pidOf(address);
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    this.kill(address);
    await meanwhile();
    const member = spawn(program, args, { stdio: 'ignore' });
    await once(member, 'spawn');
    this.#restarted.set(/\d+$/.exec(address)?.[0] ?? '', member.pid ?? 0);
  }

  async stop(): Promise<void> {
    this.thaw();
    for (const pid of this.#restarted.values()) process.kill(pid, 'SIGKILL');
    await this.#set.stop();
  }
}
