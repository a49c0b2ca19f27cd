/** Answers as OpenAPI has them: successes, and problems by their status. */
import { formats } from '../formats/index.ts';
import { type ProblemCode, problems } from '../http/problems.ts';
import type { Answer } from '../http/route.ts';
import type { Urls } from '../http/urls.ts';
import { answerExample, problemExample } from './examples.ts';
import { answerHeaders, type Header, problemHeaders } from './headers.ts';
import type { Schema } from './names.ts';
import { problemTexts } from './problem-texts.ts';

const schemas = { user: 'User', users: 'Users' };

const bare = (contentType: string): string => contentType.split(';')[0] ?? '';

/** The answer in every media type that there is. */
function contentOf(shows: 'user' | 'users'): Schema {
  const entries = formats.flatMap((format) =>
    format.mediaTypes.map(({ type }) => [
      type,
      {
        schema: { $ref: `#/components/schemas/${schemas[shows]}` },
        examples: { ada: { summary: 'Ada', value: answerExample(format, shows) } },
      },
    ]),
  );
  return Object.fromEntries(entries);
}

export const success = (
  { description, headers, optionalHeaders, shows }: Answer,
  bodiless = false,
): Schema => ({
  description,
  headers: answerHeaders(headers, [
    ...(optionalHeaders ?? []),
    ...(shows === undefined ? [] : (['Content-Encoding'] as const)),
  ]),
  ...(shows === undefined || bodiless ? {} : { content: contentOf(shows) }),
});

/** The fields that a problem brings, in all or in some of its answers. */
const fields: Partial<Record<ProblemCode, readonly Header[]>> = {
  unauthenticated: ['WWW-Authenticate'],
  'insufficient-scope': ['WWW-Authenticate'],
  'method-not-allowed': ['Allow'],
  'unsupported-media-type': ['Accept', 'Accept-Patch', 'Accept-Post'],
  'unsupported-content-coding': ['Accept-Encoding'],
  overloaded: ['Retry-After'],
  unavailable: ['Retry-After'],
};
const alwaysThere: readonly Header[] = ['Allow', 'Retry-After', 'WWW-Authenticate'];

function problemContent(codes: readonly ProblemCode[], url: Urls): Schema {
  const types = codes.map((code) => url(`/problems/${code}`));
  const status = codes.map((code) => problems[code].status)[0];
  const own = { type: 'object', properties: { type: { enum: types }, status: { const: status } } };
  const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, own] };
  const entries = formats.map((format) => {
    const examples = codes.map((code) => [code, problemExample(format, code, url)]);
    return [bare(format.problemType), { schema, examples: Object.fromEntries(examples) }];
  });
  return Object.fromEntries(entries);
}

/** What may be told before there is a request; nothing is negotiated then. */
const unnegotiated: readonly ProblemCode[] = [
  'malformed-request',
  'request-timeout',
  'headers-too-large',
  'not-implemented',
];

const pascal = (code: string): string =>
  code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The problems that operations refer to, each set of one status once. */
export class Problems {
  readonly #components = new Map<string, Schema>();
  readonly #url: Urls;

  constructor(url: Urls) {
    this.#url = url;
  }

  /** References by status. @param bodiless for answers to HEAD */
  answers(codes: readonly ProblemCode[], bodiless = false): Schema {
    const byStatus = new Map<number, ProblemCode[]>();
    for (const code of new Set(codes)) {
      const { status } = problems[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    const references = [...byStatus].map(([status, those]) => [status, this.#response(those, bodiless)]);
    return Object.fromEntries(references);
  }

  #response(codes: readonly ProblemCode[], bodiless: boolean): Schema {
    const sorted = [...new Set(codes)].sort();
    const name = sorted.map(pascal).join('Or') + (bodiless ? 'WithoutBody' : '');
    const headers = sorted.flatMap((code) => fields[code] ?? []);
    // What each of them brings, all of them bring.
    const required = [...new Set(headers)].filter(
      (header) => sorted.every((code) => fields[code]?.includes(header)) && alwaysThere.includes(header),
    );
    const optional = headers.filter((header) => !required.includes(header));
    this.#components.set(name, {
      description: sorted
        .map((code) => `${problems[code].title}. ${problemTexts[code].meaning}`)
        .join('\n\n'),
      headers: problemHeaders(
        required,
        optional,
        sorted.some((code) => unnegotiated.includes(code)),
      ),
      ...(bodiless ? {} : { content: problemContent(sorted, this.#url) }),
    });
    return { $ref: `#/components/responses/${name}` };
  }

  components(): Schema {
    return Object.fromEntries(this.#components);
  }
}
