/**
 * Rounds of load, taken in turns, so that what the machine does meanwhile strikes all alike; several turns in each, of which the
 * best counts. That leaves out what the machine does beside, and with it pauses of the server's own; p99 is that of the worst.
 */
import { randomUUID } from 'node:crypto';
import { idOf } from './directory.ts';
import { asLoad, type Load, load } from './load.ts';
import { type Figures, quotients, type Ratio } from './result.ts';
import type { Server } from './server.ts';

export interface Contestant {
  readonly name: string;
  readonly server: Server;
  readonly load: Load;
  /** What it has to answer, or something else would be measured. */
  readonly status: number;
  /**
   * Answers before any that count: until V8 has compiled what runs often, one costs up to ten times as much. Counted,
   * not timed: on a busy machine it takes longer.
   */
  readonly warmUp?: number;
}

interface Round {
  readonly cpu: number;
  readonly perSecond: number;
  readonly p99: number;
}

export type Rounds = ReadonlyMap<string, readonly Round[]>;

async function assertAnswers({ name, load: { url, headers, vary }, status }: Contestant): Promise<void> {
  const marked = (text: string) =>
    text.replaceAll('{id}', idOf(0)).replaceAll('{at}', '0').replaceAll('{new}', randomUUID());
  const one = vary === undefined ? {} : { method: vary.method, body: marked(vary.body) };
  const answer = await fetch(marked(decodeURI(url)), { headers: { ...asLoad, ...headers }, ...one });
  if (answer.status !== status) throw new Error(`${name}: ${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** Answers; from fewer nothing follows. */
const enough = 50;
/** In seconds. */
const longest = 5;
/** In each round. */
const turns = 3;

async function turn(contestant: Contestant, seconds: number): Promise<Round> {
  const { name, server, load: what } = contestant;
  const before = await server.cpu();
  const { requests, perSecond, p99 } = await load(what, seconds);
  if (requests < enough && seconds < longest) return turn(contestant, 2 * seconds);
  if (requests === 0) throw new Error(`${name}: no answer within ${seconds} s`);
  return { cpu: ((await server.cpu()) - before) / requests, perSecond, p99 };
}

const best = (one: Round, other: Round): Round => ({
  cpu: Math.min(one.cpu, other.cpu),
  perSecond: Math.max(one.perSecond, other.perSecond),
  p99: Math.max(one.p99, other.p99),
});

/** Each begins as often as the others. */
const rotated = <T>(all: readonly T[], by: number): T[] => {
  const first = by % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
};

async function round(contestants: readonly Contestant[], number: number, seconds: number) {
  const bests = new Map<string, Round>();
  for (let count = 0; count < turns; count += 1) {
    for (const contestant of rotated(contestants, number + count)) {
      const now = await turn(contestant, seconds / turns);
      const before = bests.get(contestant.name);
      bests.set(contestant.name, before === undefined ? now : best(before, now));
    }
  }
  return bests;
}

/** Loads until there were that many answers. */
export async function warm(what: Load, answers: number): Promise<void> {
  let requests = 0;
  while (requests < answers) requests += (await load(what, 0.25)).requests;
}

/** By contestant, the rounds in their order. */
export async function takeTurns(
  contestants: readonly Contestant[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<Rounds> {
  for (const contestant of contestants) await assertAnswers(contestant);
  const measured = new Map<string, Round[]>(contestants.map(({ name }) => [name, []]));
  for (const { load, warmUp = 5000 } of contestants) await warm(load, warmUp);
  for (let number = 0; number < rounds; number += 1)
    for (const [name, figures] of await round(contestants, number, seconds))
      measured.get(name)?.push(figures);
  return measured;
}

const of = (rounds: Rounds, name: string, figure: keyof Round): number[] => {
  const found = rounds.get(name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found.map((one) => one[figure]);
};

export const figuresOf = (rounds: Rounds): Figures[] =>
  [...rounds.keys()].map((name) => ({
    name,
    cpu: of(rounds, name, 'cpu'),
    perSecond: of(rounds, name, 'perSecond'),
    p99: of(rounds, name, 'p99'),
  }));

interface Pair extends Pick<Ratio, 'what' | 'against' | 'atLeast'> {
  readonly key: string;
  /** Of the contestants, by name. */
  readonly ours: string;
  readonly floor: string;
}

/**
 * Both ratios of two contestants: by the server's CPU time for a request, which targets and records are about, and by
 * throughput, which the load's share of the machine goes into.
 */
export function compared(rounds: Rounds, { ours, floor, ...pair }: Pair): Ratio[] {
  const { what, against } = pair;
  return [
    { ...pair, by: 'CPU', rounds: quotients(of(rounds, floor, 'cpu'), of(rounds, ours, 'cpu')) },
    {
      what,
      against,
      by: 'throughput',
      rounds: quotients(of(rounds, ours, 'perSecond'), of(rounds, floor, 'perSecond')),
    },
  ];
}
