/** Tables of what was found, for a terminal or for Markdown. */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { type Figures, type Finding, median, type Outcome, type Ratio } from './result.ts';

type Row = readonly string[];

const spread = (values: readonly number[], digits: number): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return `${median(values).toFixed(digits)} (${low}–${high})`;
};

function plain(rows: readonly Row[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function markdown([head = [], ...rows]: readonly Row[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return lines.join('\n');
}

const figureHead: Row = ['scenario', 'contestant', 'CPU µs/request', 'per second', 'p99 ms'];
const figureRow = (scenario: string, { name, cpu, perSecond, p99 }: Figures): Row => [
  scenario,
  name,
  cpu === undefined ? '' : spread(cpu, 0),
  spread(perSecond, 0),
  p99 === undefined ? '' : spread(p99, 1),
];

const ratioHead: Row = ['what', 'against', 'by', 'ratio', 'target', '', 'note'];

const reached = ({ rounds, atLeast }: Ratio): string => {
  if (atLeast === undefined) return '';
  return median(rounds) >= atLeast ? 'met' : 'MISSED';
};

const ratioRow = (ratio: Ratio): Row => [
  ratio.what,
  ratio.against,
  ratio.by,
  spread(ratio.rounds, 2),
  ratio.atLeast?.toFixed(2) ?? '',
  reached(ratio),
  ratio.note ?? '',
];

const findingRow = ({ what, found, target, met }: Finding): Row => [
  what,
  '',
  '',
  found,
  target,
  met ? 'met' : 'MISSED',
  '',
];

/** The first row is the head. */
export const table = (rows: readonly Row[], asMarkdown: boolean): string =>
  asMarkdown ? markdown(rows) : plain(rows);

export function report(outcomes: ReadonlyMap<string, Outcome>, asMarkdown: boolean): string {
  const all = [...outcomes.values()];
  const figures = [...outcomes].flatMap(([scenario, outcome]) =>
    (outcome.figures ?? []).map((one) => figureRow(scenario, one)),
  );
  const ratios = all.flatMap((outcome) => outcome.ratios ?? []).map(ratioRow);
  const findings = all.flatMap((outcome) => outcome.findings ?? []).map(findingRow);
  const skipped = [...outcomes].flatMap(([name, outcome]) =>
    outcome.skipped === undefined ? [] : [`Not measured: ${name}: ${outcome.skipped}`],
  );
  return [
    `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}, load average ${loadavg()[1]?.toFixed(1)}`,
    table([figureHead, ...figures], asMarkdown),
    table([ratioHead, ...ratios, ...findings], asMarkdown),
    'Median of the rounds (lowest–highest). Ratios are taken round by round; more is better: CPU is the time of the other ÷ ours.',
    ...skipped,
  ].join('\n\n');
}
