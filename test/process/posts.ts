/** Creations, one after the other, with their responses. */
import { randomUUID } from 'node:crypto';
import { until } from '../support/deadlines.ts';
import type { Process } from '../support/process.ts';

/** About 15 KB of a user: some forty of them are a megabyte of the log. */
export const large = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`a${at}`, 'x'.repeat(1000)]));

export interface Poster {
  /** The ids that were answered with 201. */
  readonly created: string[];
  /** The status; undefined when the connection broke or was refused. */
  post(attributes?: Readonly<Record<string, string>>): Promise<number | undefined>;
  /** Until the process has ended by itself; the statuses, each once. */
  untilGone(attributes?: Readonly<Record<string, string>>): Promise<Set<number>>;
  /** The ids of all users. */
  all(): Promise<string[]>;
  ready(): Promise<number | undefined>;
}

export async function poster(service: Process): Promise<Poster> {
  const authorization = `Bearer ${await service.token()}`;
  const headers = { authorization, 'content-type': 'application/json', connection: 'close' };
  const created: string[] = [];
  const post = async (attributes: Readonly<Record<string, string>> = {}): Promise<number | undefined> => {
    const id = randomUUID();
    const body = JSON.stringify({ id, userName: id, attributes });
    try {
      const { status } = await fetch(`${service.url}/users`, { method: 'POST', headers, body });
      if (status === 201) created.push(id);
      return status;
    } catch {
      return undefined;
    }
  };
  const untilGone = async (attributes: Readonly<Record<string, string>> = {}): Promise<Set<number>> => {
    const statuses = new Set<number>();
    let isGone = false;
    void service.stop('SIGCONT').then(() => {
      isGone = true;
    });
    await until('the service has ended', async () => {
      const status = await post(attributes);
      if (status !== undefined) statuses.add(status);
      return isGone;
    });
    return statuses;
  };
  const all = async (): Promise<string[]> => {
    const answer = await fetch(`${service.url}/users`, { headers });
    const { users } = (await answer.json()) as { users: { id: string }[] };
    return users.map(({ id }) => id);
  };
  const ready = async () => {
    const answer = await fetch(`${service.url}/health/ready`).catch(() => undefined);
    return answer?.status;
  };
  return { created, post, untilGone, all, ready };
}
