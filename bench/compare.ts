/**
 * `npm run bench`: compares the service with its floors and with Fastify, in rounds with turns. Options:
 * - `--quick`: shorter rounds, under two minutes in all
 * - `--only GET`: only scenarios whose names contain it
 * - `--old DIR`: measures beside the build in DIR (a checkout after `npm run build`, or an installed package) too; `--old-node FILE` names
 *   the Node that runs it
 * - `--markdown`: prints tables for docs/performance.md
 * - `--record`: records the ratios for `--check` where they are lower than those recorded
 * - `--check`: fails when something has fallen by more than a third below its recorded ratios. If one round finds a scenario near them, it
 *   is the only one.
 */
import { parseArgs } from 'node:util';
import { findFallen, recordRatios, tolerance } from './recorded.ts';
import { formatReport } from './report.ts';
import type { Outcome } from './result.ts';
import { type Scenario, scenarios } from './scenarios/index.ts';
import { type Stage, setStage } from './stage.ts';

const off = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: {
    quick: off,
    markdown: off,
    record: off,
    check: off,
    only: { type: 'string', default: '' },
    old: { type: 'string', default: '' },
    'old-node': { type: 'string', default: '' },
  },
});

/**
 * Only ratios that have fallen in every attempt count, since a busy machine is seldom busy each time. An attempt follows all other
 * scenarios and has servers of its own: V8 may compile a process well or badly for as long as it runs.
 */
const attempts = 3;

const outcomes = new Map<string, Outcome>();
/** Fallen in each attempt so far, by scenario. */
const suspects = new Map<Scenario, Map<string, string>>();

/** Of a recorded ratio: what a single round has to show. A ratio that has fallen by a third seems higher than this in hardly any round. */
const nearby = 0.9;

async function measure({ name, run }: Scenario, stage: Stage): Promise<Outcome> {
  process.stderr.write(`${name}${stage.rounds === 1 ? ', one round' : ''} …\n`);
  const outcome = await run(stage);
  outcomes.set(name, outcome);
  return outcome;
}

async function attempt(scenario: Scenario, stage: Stage): Promise<void> {
  const isNear = async (): Promise<boolean> =>
    findFallen(await measure(scenario, { ...stage, rounds: 1, slowRounds: 1 }), nearby).size === 0;
  if (values.check && (await isNear())) return void suspects.delete(scenario);
  const fallen = findFallen(await measure(scenario, stage), tolerance);
  const before = suspects.get(scenario);
  const still = [...fallen].filter(([key]) => before?.has(key) ?? true);
  if (still.length === 0) suspects.delete(scenario);
  else suspects.set(scenario, new Map(still));
}

async function runAll(chosen: readonly Scenario[]): Promise<void> {
  const stage = await setStage({ quick: values.quick, old: values.old, oldNode: values['old-node'] });
  try {
    for (const scenario of chosen) await attempt(scenario, stage);
  } finally {
    await stage.close();
  }
}

await runAll(scenarios.filter(({ name }) => name.includes(values.only)));
for (let again = 1; values.check && again < attempts && suspects.size > 0; again += 1)
  await runAll([...suspects.keys()]);
const failures = values.check ? [...suspects.values()].flatMap((lines) => [...lines.values()]) : [];
console.log(formatReport(outcomes, values.markdown));
if (values.record) recordRatios(outcomes.values());
for (const line of failures) console.error(`Fallen by more than a third: ${line}`);
if (failures.length > 0) process.exitCode = 1;
