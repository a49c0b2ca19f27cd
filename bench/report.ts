/** Prints outcomes as tables, for a terminal or in Markdown. */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { type Figures, type Finding, median, type Outcome, type Ratio } from './result.ts';

type Row = readonly string[];

const formatSpread = (values: readonly number[], digits: number): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return `${median(values).toFixed(digits)} (${low}–${high})`;
};

function formatPlain(rows: readonly Row[]): string {
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

function formatMarkdown([head = [], ...rows]: readonly Row[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return lines.join('\n');
}

const figureHead: Row = ['scenario', 'contestant', 'CPU µs/request', 'per second', 'p99 ms'];
const toFigureRow = (scenario: string, { name, cpu, perSecond, p99 }: Figures): Row => [
  scenario,
  name,
  cpu === undefined ? '' : formatSpread(cpu, 0),
  formatSpread(perSecond, 0),
  p99 === undefined ? '' : formatSpread(p99, 1),
];

const ratioHead: Row = ['what', 'against', 'by', 'ratio', 'target', '', 'note'];

const formatTarget = ({ rounds, atLeast }: Ratio): string => {
  if (atLeast === undefined) return '';
  return median(rounds) >= atLeast ? 'met' : 'MISSED';
};

const toRatioRow = (ratio: Ratio): Row => [
  ratio.what,
  ratio.against,
  ratio.by,
  formatSpread(ratio.rounds, 2),
  ratio.atLeast?.toFixed(2) ?? '',
  formatTarget(ratio),
  ratio.note ?? '',
];

const toFindingRow = ({ what, found, target, met }: Finding): Row => [
  what,
  '',
  '',
  found,
  target,
  met ? 'met' : 'MISSED',
  '',
];

/** The first row is the head. */
export const formatTable = (rows: readonly Row[], asMarkdown: boolean): string =>
  asMarkdown ? formatMarkdown(rows) : formatPlain(rows);

export function formatReport(outcomes: ReadonlyMap<string, Outcome>, asMarkdown: boolean): string {
  const all = [...outcomes.values()];
  const figures = [...outcomes].flatMap(([scenario, outcome]) =>
    (outcome.figures ?? []).map((one) => toFigureRow(scenario, one)),
  );
  const ratios = all.flatMap((outcome) => outcome.ratios ?? []).map(toRatioRow);
  const findings = all.flatMap((outcome) => outcome.findings ?? []).map(toFindingRow);
  const skipped = [...outcomes].flatMap(([name, outcome]) =>
    outcome.skipped === undefined ? [] : [`Not measured: ${name}: ${outcome.skipped}`],
  );
  return [
    `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}, load average ${loadavg()[1]?.toFixed(1)}`,
    formatTable([figureHead, ...figures], asMarkdown),
    formatTable([ratioHead, ...ratios, ...findings], asMarkdown),
    'Median of the rounds (lowest–highest). Ratios are taken round by round; more is better: CPU is the time of the other ÷ ours.',
    ...skipped,
  ].join('\n\n');
}
