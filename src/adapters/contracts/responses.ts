/** OpenAPI's responses: successes, and problems by their status. */
import type { Format } from '../formats/port/format.ts';
import type { Answer, DescribedApi, DocumentType } from '../http/pipeline/api.ts';
import {
  type DescribedProblemType,
  type DescribedProblemTypes,
  problemTypes,
} from '../http/problems/problem-types.ts';
import type { PrintProblem } from '../http/problems/problems.ts';
import { answerHeaders, type Header, problemHeaders } from './headers.ts';
import type { Schema } from './names.ts';

const withoutParameters = (contentType: string): string => contentType.split(';')[0] ?? '';

/** Empty for a format whose documents OpenAPI's schemas can't describe. */
const schemaIn = ({ inContracts }: Format, schema: Schema): Schema =>
  inContracts.body === 'nothing' ? {} : schema;

/**
 * Media type objects, by media type. All of a format's types but the first have their parameters, as in responses: oapi-codegen
 * declares one field for each bare XML type that it knows, all with the same name.
 */
function contentOf(formats: readonly Format[], document: DocumentType): Schema {
  const entries = formats.flatMap((format) => {
    const schema = schemaIn(format, { $ref: `#/components/schemas/${document.name}` });
    const examples = { example: { summary: 'An example', value: documentExample(format, document) } };
    return format.mediaTypes.map(({ type, contentType }, at) => [
      at > 0 && format.inContracts.body === 'elements' ? contentType : type,
      { schema, examples },
    ]);
  });
  return Object.fromEntries(entries);
}

/** False for a list of media types, and for a response without content. */
export const isDocument = (shows: Answer['shows']): shows is DocumentType =>
  shows !== undefined && !Array.isArray(shows);

export function successResponse({ formats }: DescribedApi, answer: Answer): Schema {
  const { description, headers = [], optionalHeaders = [], shows, streams } = answer;
  const encoded = isDocument(shows) ? (['Content-Encoding'] as const) : [];
  const fields = answerHeaders(headers, [...optionalHeaders, ...encoded]);
  if (shows === undefined) return { description, headers: fields };
  const content = isDocument(shows)
    ? contentOf(formats, shows)
    : Object.fromEntries(shows.map((type) => [type, { schema: {} }]));
  const stream = streams === undefined ? {} : { [streams]: { schema: {} } };
  return { description, headers: fields, content: { ...content, ...stream } };
}

/** If a problem has one of these fields, all its responses have it. */
const alwaysThere: readonly Header[] = ['Allow', 'Retry-After', 'WWW-Authenticate'];

/** Responses that may come before a request was read, so that nothing is negotiated. */
const earlyProblems: readonly string[] = [
  'malformed-request',
  'request-timeout',
  'headers-too-large',
  'not-implemented',
];

const toPascalCase = (code: string): string =>
  code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `components.responses`: one for each set of problems that an operation has under one status. */
export class ProblemResponses {
  readonly #components = new Map<string, Schema>();
  readonly #printProblem: PrintProblem;

  constructor(printProblem: PrintProblem) {
    this.#printProblem = printProblem;
  }

  /** References by status. @throws Error for a code that has no entry */
  responsesOf(api: DescribedApi, codes: readonly string[]): Schema {
    const byStatus = Map.groupBy(new Set(codes), (code) => entryOf(api, code).status);
    return Object.fromEntries([...byStatus].map(([status, those]) => [status, this.#response(api, those)]));
  }

  components(): Schema {
    return Object.fromEntries(this.#components);
  }

  #response(api: DescribedApi, codes: readonly string[]): Schema {
    const sorted = [...codes].sort();
    const name = sorted.map(toPascalCase).join('Or');
    const entries = sorted.map((code) => entryOf(api, code));
    const headers = [...new Set(entries.flatMap((entry): readonly Header[] => entry.headers ?? []))];
    // Required if all responses of all these problems have it.
    const required = headers.filter(
      (header) =>
        alwaysThere.includes(header) &&
        entries.every((entry) => entry.headers?.some((own) => own === header)),
    );
    const optional = headers.filter((header) => !required.includes(header));
    const early = sorted.some((code) => earlyProblems.includes(code));
    this.#components.set(name, {
      description: entries.map(({ title, meaning }) => `${title}. ${meaning}`).join('\n\n'),
      headers: problemHeaders(required, optional, early),
      content: this.#content(api, sorted),
    });
    return { $ref: `#/components/responses/${name}` };
  }

  /** One schema for all problems: generators would make a class of each set of types. The examples show the types of this response. */
  #content(api: DescribedApi, codes: readonly string[]): Schema {
    const schema = { $ref: '#/components/schemas/Problem' };
    const print = this.#printProblem;
    const contents = api.formats.map((format) => {
      const examples = codes.map((code) => [code, problemExample(format, code, entryOf(api, code), print)]);
      return [
        withoutParameters(format.problemType),
        { schema: schemaIn(format, schema), examples: Object.fromEntries(examples) },
      ];
    });
    return Object.fromEntries(contents);
  }
}

function entryOf(api: DescribedApi, code: string): DescribedProblemType {
  const entry = (problemTypes as DescribedProblemTypes)[code] ?? api.problems?.[code];
  if (entry === undefined) throw new Error(`the problem ${code} has no entry`);
  return entry;
}

type Printed = Omit<DocumentType, 'name'>;

function print(format: Format, { schema, naming, isList, example, besideExample }: Printed): string {
  const codec = format.codec<unknown>(schema, naming);
  const { open, item, close } = codec.list;
  return isList ? open(besideExample) + item(example) + close : codec.print(example);
}

export const documentExample = (format: Format, document: DocumentType): unknown =>
  format.inContracts.exampleOf(print(format, document));

/** An arbitrary UUID. */
const requestId = '6f0d9d5e-3c3f-4a52-9a39-0f9f9c1c7d11';

function problemExample(
  format: Format,
  code: string,
  type: DescribedProblemType,
  printProblem: PrintProblem,
): Schema {
  const { title, meaning, example = [] } = type;
  const problem = { code, type, detail: meaning, violations: example, headers: {} };
  const { content } = printProblem(problem, requestId, format);
  return { summary: title, value: format.inContracts.exampleOf(content) };
}
