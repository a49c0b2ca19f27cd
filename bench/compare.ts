/**
 * `npm run bench`: compares the service with its floors and with Fastify, in rounds with turns. Options:
 * - `--quick`: shorter rounds, under two minutes in all
 * - `--only GET`: only scenarios whose names contain it
 * - `--old DIR`: measures beside the build in DIR (a checkout after `npm run build`, or an installed package) too; `--old-node FILE` names
 *   the Node that runs it
 * - `--markdown`: prints tables for docs/performance.md
 * - `--record`: records the ratios for `--check` where they are lower than those recorded
 * - `--check`: fails when a ratio has fallen by more than a third below its recorded value
 */
import { parseArgs } from 'node:util';
import { findFallen, recordRatios } from './recorded.ts';
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

async function measure({ name, run }: Scenario, stage: Stage): Promise<void> {
  let suspects: Map<string, string> | undefined;
  for (let attempt = 1; attempt <= attempts && suspects?.size !== 0; attempt += 1) {
    process.stderr.write(`${name}${attempt === 1 ? '' : ', again'} …\n`);
    const outcome = await run(stage);
    outcomes.set(name, outcome);
    if (!values.check) return;
    const now = findFallen(outcome);
    suspects = new Map([...now].filter(([key]) => suspects?.has(key) ?? true));
  }
  failures.push(...(suspects?.values() ?? []));
}

const stage = await setStage({ quick: values.quick, old: values.old, oldNode: values['old-node'] });
try {
  for (const scenario of scenarios.filter(({ name }) => name.includes(values.only)))
    await measure(scenario, stage);
} finally {
  await stage.close();
}
console.log(formatReport(outcomes, values.markdown));
if (values.record) recordRatios(outcomes.values());
for (const line of failures) console.error(`Fallen by more than a third: ${line}`);
if (failures.length > 0) process.exitCode = 1;
