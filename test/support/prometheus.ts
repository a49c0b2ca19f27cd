/** Debian's Prometheus, scraping services of a test's. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { aFreePort } from './free-port.ts';

export interface Prometheus {
  /** The value of each series that a query gives, now. */
  query(expression: string): Promise<number[]>;
  stop(): Promise<void>;
}

interface Scraped {
  /** As `host:port`; every half second. */
  readonly targets: readonly string[];
  /** A file of alert rules. */
  readonly rules?: string;
}

/** @param program its path */
export async function startPrometheus(program: string, { targets, rules }: Scraped): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'users-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  const job = { job_name: 'user-management', scrape_interval: '500ms', static_configs: [{ targets }] };
  const rule_files = rules === undefined ? [] : [resolve(rules)];
  // It reads JSON, too: YAML takes that in.
  writeFileSync(config, JSON.stringify({ scrape_configs: [job], rule_files }));
  const address = `127.0.0.1:${await aFreePort()}`;
  const data = join(folder, 'data');
  const options = { 'config.file': config, 'storage.tsdb.path': data, 'web.listen-address': address };
  const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(program, given, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    async query(expression) {
      const query = new URLSearchParams({ query: expression });
      // It listens a while after its start.
      const answer = await fetch(`http://${address}/api/v1/query?${query}`).catch(() => undefined);
      if (answer?.status === 400) throw new Error(`${expression}: ${await answer.text()}`);
      if (answer?.ok !== true) return [];
      const { data: found } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
      return found.result.map(({ value }) => Number(value[1]));
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
