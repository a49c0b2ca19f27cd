/**
 * How long hostile bodies hold up others: the event loop by one alone, and a probe by thirty at once. `npm run bench:hostile` sends
 * those made from the schema and those that are full of what is slow to read, and tells of the worst. With `--check` it fails beyond
 * the bounds: 25 ms alone and 250 ms at thirty where the slowest user that is allowed takes `usual` ms, and in proportion elsewhere.
 */
import { filledBodies, slowestUser } from '../test/support/filled-bodies.ts';
import { discardProcesses } from '../test/support/process.ts';
import { schemaBodies } from '../test/support/schema-bodies.ts';
import { type HostileRequest, startWatched, type Watched } from '../test/support/watched-service.ts';

/** In ms: what the bounds are, on a machine on which the slowest allowed user takes as long as it usually does. */
const bounds = { held: 25, wait: 250, usual: 8 };
/** How many of the worst are sent thirty at once, and told of. */
const shown = 15;
const atOnce = 30;
/** Each is sent so often; the least counts, since what else the machine does only adds to it. */
const repetitions = 3;

interface Result {
  readonly name: string;
  readonly request: HostileRequest;
  readonly held: number;
}

const types = { json: 'application/json', xml: 'application/xml' };

async function leastHeld(service: Watched, request: HostileRequest): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < repetitions; count += 1) {
    await service.measure();
    const { headers } = await service.send(request);
    least = Math.min(least, (await service.measure()).held);
    const made = headers.find(([name]) => name === 'Location')?.[1];
    if (made !== undefined) await service.remove(made);
  }
  return least;
}

async function timeOfSlowestUser(service: Watched): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 25; count += 1) {
    const start = performance.now();
    const request = { method: 'POST', path: '/users', type: types.xml, body: slowestUser() } as const;
    const { headers } = await service.send(request);
    times.push(performance.now() - start);
    await service.remove(headers.find(([name]) => name === 'Location')?.[1] ?? '');
  }
  // The first pay for compilation.
  return times.slice(5).sort((one, other) => one - other)[10] ?? Number.NaN;
}

async function everyBody(service: Watched): Promise<Result[]> {
  const results: Result[] = [];
  const largest = [...schemaBodies()].filter(({ name }) => /as many as fit|a thousand/.test(name));
  for (const { name, format, body } of [...filledBodies, ...largest])
    for (const gzip of [false, true]) {
      const request = { method: 'POST', path: '/users', type: types[format], body, gzip } as const;
      const coded = gzip ? `${name}, gzip` : name;
      results.push({ name: coded, request, held: await leastHeld(service, request) });
    }
  return results.sort((one, other) => other.held - one.held);
}

async function leastWait(service: Watched, request: HostileRequest): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < repetitions; count += 1)
    least = Math.min(least, (await service.atOnce(atOnce, request)).wait);
  return least;
}

const cell = (ms: number): string => ms.toFixed(1).padStart(9);

function judge(usual: number, held: number, wait: number): void {
  const scale = usual / bounds.usual;
  console.log(
    `The slowest user that is allowed takes ${usual.toFixed(1)} ms. Bounds here: ${(bounds.held * scale).toFixed(0)} ms alone, ${(bounds.wait * scale).toFixed(0)} ms for a probe at ${atOnce} (${bounds.held} and ${bounds.wait} ms where it takes ${bounds.usual}).`,
  );
  console.log(`Worst: ${held.toFixed(1)} ms alone, ${wait.toFixed(1)} ms for a probe.`);
  if (held <= bounds.held * scale && wait <= bounds.wait * scale) return;
  console.error('A hostile body holds others up for longer than it may.');
  if (process.argv.includes('--check')) process.exitCode = 1;
}

// Nothing is refused unread: what a body costs is to be seen.
const service = await startWatched({ USERS_OVERLOAD_EVENT_LOOP_DELAY: '0', USERS_OVERLOAD_REQUESTS: '0' });
try {
  const usual = await timeOfSlowestUser(service);
  const results = await everyBody(service);
  console.log(`${results.length} kinds of bodies, POST; the worst of them:`);
  console.log(`${'held ms'.padStart(9)} ${'probe ms'.padStart(9)}`);
  let longest = 0;
  for (const { name, request, held } of results.slice(0, shown)) {
    const wait = await leastWait(service, request);
    longest = Math.max(longest, wait);
    console.log(`${cell(held)} ${cell(wait)}  ${name}`);
  }
  judge(usual, results[0]?.held ?? 0, longest);
} finally {
  await service.stop();
  await discardProcesses();
}
