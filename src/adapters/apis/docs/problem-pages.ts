/** `/problems/{type}`: what a problem's `type` leads to, for the person who has to do something about it. */
import { createHash } from 'node:crypto';
import { problemTexts } from '../../contracts/problem-texts.ts';
import { type ProblemCode, problems } from '../../http/problems.ts';
import type { Published } from './documents.ts';
import { html, page, pageType } from './html.ts';

const style =
  'body{max-width:42rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#222;background:#fff}' +
  'h1{font-size:1.6rem}h2{font-size:1.1rem;margin-top:2rem}code{font-size:.95em}';

const hashed = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const policy = `default-src 'none'; style-src ${hashed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function problemPage(code: ProblemCode): string {
  const { status, title } = problems[code];
  const { meaning, remedy } = problemTexts[code];
  const body = `<h1>${html(title)}</h1>
<p>Type <code>${html(code)}</code>, status ${status}.</p>
<h2>What it means</h2>
<p>${html(meaning)}</p>
<h2>What to do</h2>
<p>${html(remedy)}</p>
<p>The API as a whole: <a href="../docs">its documentation</a>.</p>`;
  return page(title, `<style>${style}</style>`, body);
}

export const problemPages: readonly Published[] = (Object.keys(problems) as ProblemCode[]).map((code) => ({
  path: `/problems/${code}`,
  route: '/problems/:type',
  contentType: pageType,
  summary: 'What a problem means, and what to do about it',
  policy,
  make: async () => problemPage(code),
}));
