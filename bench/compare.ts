/**
 * `npm run bench`: compares the service with its floors and with Fastify, in rounds with turns. Options:
 * - `--quick`: shorter rounds, under two minutes in all
 * - `--only GET`: only scenarios whose names contain it
 * - `--old DIR`: measures beside the build in DIR (a checkout after `npm run build`, or an installed package) too; `--old-node FILE` names
 *   the Node that runs it
 * - `--markdown`: prints tables for docs/performance.md
 * - `--record`: records the ratios for `--check` where they are lower than those recorded
 * - `--check`: fails when a ratio has fallen by more than a third below its recorded value. If one round finds all ratios of a scenario near
 *   theirs, it is the only one.
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

/** Only ratios that have fallen in every attempt count, since a busy machine is seldom busy each time. */
const attempts = 3;

const outcomes = new Map<string, Outcome>();
const failures: string[] = [];

/** Of a recorded ratio: what a single round has to show. A ratio that has fallen by a third seems higher than this in hardly any round. */
const nearby = 0.9;

async function isNear({ name, run }: Scenario, stage: Stage): Promise<boolean> {
  process.stderr.write(`${name}, one round …\n`);
  const outcome = await run({ ...stage, rounds: 1, slowRounds: 1 });
  outcomes.set(name, outcome);
  return findFallen(outcome, nearby).size === 0;
}

async function measure({ name, run }: Scenario, stage: Stage): Promise<void> {
  let suspects: Map<string, string> | undefined;
  for (let attempt = 1; attempt <= attempts && suspects?.size !== 0; attempt += 1) {
    process.stderr.write(`${name}${attempt === 1 ? '' : ', again'} …\n`);
    const outcome = await run(stage);
    outcomes.set(name, outcome);
    if (!values.check) return;
    const now = findFallen(outcome, tolerance);
    suspects = new Map([...now].filter(([key]) => suspects?.has(key) ?? true));
  }
  failures.push(...(suspects?.values() ?? []));
}

const stage = await setStage({ quick: values.quick, old: values.old, oldNode: values['old-node'] });
try {
  for (const scenario of scenarios.filter(({ name }) => name.includes(values.only)))
    if (!values.check || !(await isNear(scenario, stage))) await measure(scenario, stage);
} finally {
  await stage.close();
}
console.log(formatReport(outcomes, values.markdown));
if (values.record) recordRatios(outcomes.values());
for (const line of failures) console.error(`Fallen by more than a third: ${line}`);
if (failures.length > 0) process.exitCode = 1;
