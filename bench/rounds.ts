/**
 * Rounds of load in turns, so that other work of the machine affects all contestants alike. The best of several turns in a round
 * counts, which leaves out other work and also the server's own pauses; for p99 the worst one counts.
 */
import { randomUUID } from 'node:crypto';
import { idOf } from './directory.ts';
import { type Load, load, loadHeaders } from './load.ts';
import { divideEach, type Figures, type Ratio } from './result.ts';
import type { Server } from './server.ts';

export interface Contestant {
  readonly name: string;
  readonly server: Server;
  readonly load: Load;
  /** Any other would mean that something else is measured. */
  readonly status: number;
  /**
   * Responses before any that count: until V8 has compiled the hot code, one costs up to ten times as much. Counted instead of
   * timed, since a busy machine takes longer.
   */
  readonly warmUp?: number;
}

interface Round {
  readonly cpu: number;
  readonly perSecond: number;
  readonly p99: number;
}

type Rounds = ReadonlyMap<string, readonly Round[]>;

async function assertAnswers({ name, load: { url, headers, vary }, status }: Contestant): Promise<void> {
  const marked = (text: string) =>
    text.replaceAll('{id}', idOf(0)).replaceAll('{at}', '0').replaceAll('{new}', randomUUID());
  const one = vary === undefined ? {} : { method: vary.method, body: marked(vary.body) };
  const answer = await fetch(marked(decodeURI(url)), { headers: { ...loadHeaders, ...headers }, ...one });
  if (answer.status !== status) throw new Error(`${name}: ${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** Fewer responses say nothing. */
const minAnswers = 50;
const maxSeconds = 5;
const turnsInRound = 3;

async function takeTurn(contestant: Contestant, seconds: number): Promise<Round> {
  const { name, server, load: what } = contestant;
  const before = await server.cpu();
  const { requests, perSecond, p99 } = await load(what, seconds);
  if (requests < minAnswers && seconds < maxSeconds) return takeTurn(contestant, 2 * seconds);
  if (requests === 0) throw new Error(`${name}: no answer within ${seconds} s`);
  return { cpu: ((await server.cpu()) - before) / requests, perSecond, p99 };
}

const mergeBest = (one: Round, other: Round): Round => ({
  cpu: Math.min(one.cpu, other.cpu),
  perSecond: Math.max(one.perSecond, other.perSecond),
  p99: Math.max(one.p99, other.p99),
});

/** So that each begins equally often. */
const rotate = <T>(all: readonly T[], by: number): T[] => {
  const first = by % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
};

async function runRound(contestants: readonly Contestant[], number: number, seconds: number) {
  const bests = new Map<string, Round>();
  for (let count = 0; count < turnsInRound; count += 1) {
    for (const contestant of rotate(contestants, number + count)) {
      const now = await takeTurn(contestant, seconds / turnsInRound);
      const before = bests.get(contestant.name);
      bests.set(contestant.name, before === undefined ? now : mergeBest(before, now));
    }
  }
  return bests;
}

export async function runWarmUp(what: Load, answers: number): Promise<void> {
  let requests = 0;
  while (requests < answers) requests += (await load(what, 0.25)).requests;
}

/** The rounds by contestant. */
export async function takeTurns(
  contestants: readonly Contestant[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<Rounds> {
  for (const contestant of contestants) await assertAnswers(contestant);
  const measured = new Map<string, Round[]>(contestants.map(({ name }) => [name, []]));
  for (const { load, warmUp = 5000 } of contestants) await runWarmUp(load, warmUp);
  for (let number = 0; number < rounds; number += 1)
    for (const [name, figures] of await runRound(contestants, number, seconds))
      measured.get(name)?.push(figures);
  return measured;
}

const figureOf = (rounds: Rounds, name: string, figure: keyof Round): number[] => {
  const found = rounds.get(name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found.map((one) => one[figure]);
};

export const figuresOf = (rounds: Rounds): Figures[] =>
  [...rounds.keys()].map((name) => ({
    name,
    cpu: figureOf(rounds, name, 'cpu'),
    perSecond: figureOf(rounds, name, 'perSecond'),
    p99: figureOf(rounds, name, 'p99'),
  }));

interface Pair extends Pick<Ratio, 'key' | 'what' | 'against' | 'atLeast'> {
  /** Of the contestants, by name. */
  readonly ours: string;
  readonly floor: string;
}

/**
 * Both ratios of two contestants: by the server's CPU time for a request, which targets and records use, and by throughput,
 * which also depends on the CPU time that wrk takes.
 */
export function ratiosOf(rounds: Rounds, { ours, floor, ...pair }: Pair): Ratio[] {
  const { what, against } = pair;
  return [
    { ...pair, by: 'CPU', rounds: divideEach(figureOf(rounds, floor, 'cpu'), figureOf(rounds, ours, 'cpu')) },
    {
      what,
      against,
      by: 'throughput',
      rounds: divideEach(figureOf(rounds, ours, 'perSecond'), figureOf(rounds, floor, 'perSecond')),
    },
  ];
}
