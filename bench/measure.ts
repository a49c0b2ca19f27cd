/** Rounds of load, taken in turns, so that what the machine does meanwhile strikes all alike. */
import autocannon from 'autocannon';
import type { Server } from './server.ts';

export interface Contender {
  readonly name: string;
  readonly server: Server;
  readonly url: string;
  readonly headers: Record<string, string>;
}

export interface Round {
  /** Microseconds of the server's CPU for one request. */
  readonly cpu: number;
  readonly perSecond: number;
}

async function round({ server, url, headers, name }: Contender, seconds: number): Promise<Round> {
  const before = await server.cpu();
  const {
    '2xx': answered,
    non2xx,
    errors,
    duration,
  } = await autocannon({ url, headers, connections: 16, duration: seconds });
  if (non2xx > 0 || errors > 0 || answered === 0)
    throw new Error(`${name}: ${answered} answers, ${non2xx} not 2xx, ${errors} errors`);
  return { cpu: ((await server.cpu()) - before) / answered, perSecond: answered / duration };
}

/** By contender, the rounds in their order. A first one, to warm up, is not among them. */
export async function measure(
  contenders: readonly Contender[],
  rounds: number,
  seconds: number,
): Promise<Round[][]> {
  const measured: Round[][] = contenders.map(() => []);
  for (let count = 0; count <= rounds; count += 1) {
    for (const [at, contender] of contenders.entries()) {
      const result = await round(contender, seconds);
      if (count > 0) measured[at]?.push(result);
    }
  }
  return measured;
}
