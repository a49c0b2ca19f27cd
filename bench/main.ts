/**
 * `npm run bench`: the service against its floors and against Fastify, in rounds that take turns. Options:
 * - `--quick`: shorter rounds, under two minutes in all
 * - `--only GET`: the scenarios whose name contains it
 * - `--markdown`: tables for docs/performance.md
 * - `--record`: the ratios become those that `--check` compares with
 * - `--check`: fails when a ratio has fallen by more than a third below its recorded value
 */
import { parseArgs } from 'node:util';
import { fallen, record } from './recorded.ts';
import { report } from './report.ts';
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
  },
});

/** What a busy moment of the machine did once, it seldom does again at once. */
async function measured({ name, run }: Scenario, stage: Stage): Promise<Outcome> {
  process.stderr.write(`${name} …\n`);
  const outcome = await run(stage);
  if (!values.check || fallen(outcome).length === 0) return outcome;
  process.stderr.write(`${name}, again …\n`);
  return run(stage);
}

const outcomes = new Map<string, Outcome>();
const stage = await (values.quick ? setStage(5, 0.3) : setStage(9, 1));
try {
  for (const scenario of scenarios.filter(({ name }) => name.includes(values.only)))
    outcomes.set(scenario.name, await measured(scenario, stage));
} finally {
  await stage.close();
}
console.log(report(outcomes, values.markdown));
if (values.record) record(outcomes.values());
if (values.check) {
  const lines = [...outcomes.values()].flatMap(fallen);
  for (const line of lines) console.error(`Fallen by more than a third: ${line}`);
  if (lines.length > 0) process.exitCode = 1;
}
