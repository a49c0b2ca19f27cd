/** `/problems/{type}`: the page at a problem's `type`, for the person who has to solve it. */
import { createHash } from 'node:crypto';
import { escapeHtml, htmlType, printPage } from '../../http/html.ts';
import type { DescribedApi } from '../../http/pipeline/api.ts';
import { problemPath } from '../../http/problems/problem-details.ts';
import { type DescribedProblemType, problemTypes } from '../../http/problems/problem-types.ts';
import type { StaticDocument } from '../../http/static-documents.ts';

const style =
  'body{max-width:42rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#222;background:#fff}' +
  'h1{font-size:1.6rem}h2{font-size:1.1rem;margin-top:2rem}code{font-size:.95em}';

/** Makes the policy allow this style only. */
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const policy = `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function printProblemPage(code: string, { status, title, meaning, remedy }: DescribedProblemType): string {
  const body = `<h1>${escapeHtml(title)}</h1>
<p>Type <code>${escapeHtml(code)}</code>, status ${status}.</p>
<h2>What it means</h2>
<p>${escapeHtml(meaning)}</p>
<h2>What to do</h2>
<p>${escapeHtml(remedy)}</p>
<p>The API as a whole: <a href="../docs">its documentation</a>.</p>`;
  return printPage(title, `<style>${style}</style>`, body);
}

/** One page for each problem of these APIs, ordered by status. */
export function problemPages(apis: readonly DescribedApi[]): StaticDocument[] {
  const all = Object.entries(Object.assign({}, ...apis.map(({ problems }) => problems), problemTypes));
  return (all as [string, DescribedProblemType][])
    .sort(([, one], [, other]) => one.status - other.status)
    .map(([code, type]) => ({
      path: problemPath(code),
      route: problemPath(':type'),
      contentType: htmlType,
      summary: 'The meaning of a problem, and its solution',
      policy,
      make: async () => printProblemPage(code, type),
    }));
}
