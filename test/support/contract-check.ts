/**
 * Checks an exchange against the published contract: status, header fields and body, by validators that aren't the service's. SCIM has
 * no OpenAPI document: its answers are held to a table of the tests' own (scim-answers.ts) and, users, to what `/Schemas` publishes.
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { ValidateFunction } from 'ajv';
import { closed, type Json, validator } from './contract.ts';
import type { Exchange } from './exchanges.ts';
import { scimContract } from './scim-answers.ts';
import { findFaults, findMismatches, type PublishedSchema } from './scim-schemas.ts';

/** An XML body, and the schema that it must be valid by. */
export interface XmlBody {
  readonly schema: 'user' | 'group' | 'problem';
  readonly document: Buffer;
}

interface Verdict {
  /** One line each; empty when it keeps to the contract. */
  readonly mistakes: readonly string[];
  /** For xmllint, which reads many at once. */
  readonly xml?: XmlBody;
}

/** Fields of the connection and the transfer, of CORS (the Fetch standard's), and what `content` tells of. */
const besideTheContract =
  /^(?:connection|keep-alive|transfer-encoding|date|content-(?:length|type)|access-control-.*)$/;

/** Statuses that Node answers by itself, before there is a request. */
const unread: ReadonlySet<number> = new Set([400, 408, 417, 431]);

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** A type is a URL below what is public; the contract that is checked against has paths alone. */
const withoutBase = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'type' in body
    ? { ...body, type: String(body.type).replace(/^.*(?=\/problems\/)/, '') }
    : body;

/** All problems have one schema; which of them an answer may be, its examples say. */
function findForeignProblem({ schema, examples }: Json, value: unknown): string[] {
  if (examples === undefined || !String(schema?.$ref).endsWith('/Problem')) return [];
  const identify = (problem: unknown) => {
    const { type, status } = problem as Readonly<Record<string, unknown>>;
    return `${status} ${type}`;
  };
  const known = Object.values(examples as unknown as Record<string, Json>).map((one) => identify(one.value));
  return known.includes(identify(value))
    ? []
    : [`${identify(value)} is not among the problems that may come here`];
}

interface Answer {
  readonly exchange: Exchange;
  readonly field: (name: string) => string | undefined;
  readonly body: Buffer;
}

function answerOf(exchange: Exchange): Answer {
  const fields = new Map<string, string>();
  for (const [name, value] of exchange.headers) {
    const before = fields.get(name.toLowerCase());
    fields.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  const field = (name: string) => fields.get(name.toLowerCase());
  const decode = decoders[field('content-encoding') ?? ''];
  const { body } = exchange;
  return { exchange, field, body: decode === undefined || body.length === 0 ? body : decode(body) };
}

/** What a contract says in words alone. */
interface InWords {
  /** Of the schema of failures, and their media types. */
  readonly failure: string;
  readonly failureTypes: readonly string[];
  /** Of paths that answer to no method with a success. */
  readonly paths: RegExp;
}

const ofMain: InWords = {
  failure: 'Problem',
  failureTypes: ['application/problem+json', 'application/problem+xml'],
  // Where the service begins, below a base path or without one.
  paths: /^\/(?:v1\/?)?$/,
};
const ofScim: InWords = {
  failure: 'Error',
  failureTypes: ['application/scim+json'],
  paths: /\/scim\/v2\/Me$/,
};

export class ContractCheck {
  readonly #document: Json;
  readonly #words: InWords;
  readonly #paths: readonly (readonly [pattern: RegExp, item: Json])[];
  readonly #ajv = validator();
  readonly #validators = new WeakMap<object, ValidateFunction>();
  /** By the schema's text: some schemas are made for one answer. */
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Json, words: InWords = ofMain) {
    [this.#document, this.#words] = [document, words];
    const schemas = closed(document.components?.schemas);
    this.#ajv.addSchema({ $id: 'https://contract.example/openapi', components: { schemas } });
    this.#paths = Object.entries(document.paths as unknown as Record<string, Json>).map(([path, item]) => [
      new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      item,
    ]);
  }

  check(exchange: Exchange): Verdict {
    const { method, target, status, headers } = exchange;
    const isPreflight =
      method === 'OPTIONS' && headers.some(([name]) => /^access-control-allow-/i.test(name));
    if (status < 200 || (isPreflight && status === 204)) return { mistakes: [] };
    const answer = answerOf(exchange);
    if (answer.field('x-request-id') === undefined)
      return { mistakes: unread.has(status) && exchange.body.length === 0 ? [] : ['has no X-Request-Id'] };
    const [asked = ''] = target.split('?');
    // A slash at the end makes no difference, where there is something.
    const path = status === 404 ? asked : asked.replace(/(?<=.)\/$/, '');
    // Of these the contract tells in words alone: the one is no path, the other leads to the documentation.
    const isInWords = this.#words.paths.test(path);
    if ((path === '*' || isInWords) && status === 204)
      return { mistakes: answer.field('allow') === undefined ? ['no Allow'] : [] };
    if (isInWords && status === 303)
      return { mistakes: answer.field('location')?.endsWith('/docs') ? [] : ['leads elsewhere'] };
    const item = this.#itemAt(path) ?? this.#itemAt(path.replace(/^\/[^/]+(?=\/)/, ''));
    if (method === 'OPTIONS' && item !== undefined) return this.#options(answer);
    // The contract says once, in words, that HEAD is answered wherever GET is.
    const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    // The service may stand below a base path, and then nothing does at the root.
    const isNowhere =
      status === 401 || (status === 404 && !/user-not-found/.test(answer.body.toString('utf8')));
    if (operation === undefined || (isNowhere && operation.responses?.[String(status)] === undefined))
      return this.#elsewhere(answer, item !== undefined || isInWords);
    const response = this.#resolved(operation.responses?.[String(status)]);
    if (response === undefined) return { mistakes: [`${status} is no answer to ${method} ${path}`] };
    return this.#answer(answer, response);
  }

  #itemAt(path: string): Json | undefined {
    return this.#paths.find(([pattern]) => pattern.test(path))?.[1];
  }

  /** No such path or method: the contract says in words what then comes. */
  #elsewhere(answer: Answer, isPath: boolean): Verdict {
    const { method, status } = answer.exchange;
    const expected = [400, 401, 404, 408, 417, 431, isPath || method === 'CONNECT' ? 405 : 404, 501, 503];
    if (!expected.includes(status)) return { mistakes: [`${status} where there is nothing`] };
    if (status === 405 && answer.field('allow') === undefined) return { mistakes: ['405 without Allow'] };
    if (method === 'HEAD') return { mistakes: [] };
    const { failure, failureTypes } = this.#words;
    const problem = { schema: { $ref: `#/components/schemas/${failure}` } };
    const content = Object.fromEntries(failureTypes.map((type) => [type, problem]));
    return this.#content(answer, content as unknown as Json);
  }

  /** The contract says it once, in words: 204 with `Allow`, wherever there is something. */
  #options(answer: Answer): Verdict {
    if (answer.exchange.status !== 204) return this.#elsewhere(answer, false);
    const mistakes = answer.field('allow')?.includes('OPTIONS') ? [] : ['OPTIONS without Allow'];
    return { mistakes: answer.body.length === 0 ? mistakes : [...mistakes, 'has a body'] };
  }

  #resolved(part: Json | undefined): Json | undefined {
    const reference = part?.$ref;
    if (reference === undefined) return part;
    const steps = String(reference).split('/').slice(1);
    return steps.reduce<Json | undefined>((at, step) => at?.[step], this.#document);
  }

  #answer(answer: Answer, response: Json): Verdict {
    const documented = (response.headers ?? {}) as unknown as Record<string, Json>;
    const mistakes: string[] = [];
    for (const [name, reference] of Object.entries(documented)) {
      const header = this.#resolved(reference);
      const value = answer.field(name);
      if (value === undefined) {
        if (header?.required) mistakes.push(`${name} is missing`);
      } else if (header !== undefined) mistakes.push(...this.#field(name, value, header));
    }
    const known = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
    for (const [name] of answer.exchange.headers)
      if (!known.has(name.toLowerCase()) && !besideTheContract.test(name.toLowerCase()))
        mistakes.push(`${name} is not in the contract`);
    const { mistakes: more, xml } = this.#content(answer, response.content);
    return { mistakes: [...mistakes, ...more], ...(xml === undefined ? {} : { xml }) };
  }

  #field(name: string, text: string, header: Json): string[] {
    const { schema } = header;
    const value = schema?.type === 'integer' ? Number(text) : text;
    return this.#faults(schema, value).map((fault) => `${name}: ${fault} (${text})`);
  }

  #content(answer: Answer, content: Json | undefined): Verdict {
    const { body, exchange } = answer;
    if (content === undefined || exchange.status === 304)
      return { mistakes: body.length === 0 ? [] : ['has a body'] };
    if (answer.field('preference-applied') === 'return=minimal' && body.length === 0) return { mistakes: [] };
    if (exchange.method === 'HEAD') return { mistakes: body.length === 0 ? [] : ['has a body, to HEAD'] };
    const type = answer.field('content-type')?.split(';')[0] ?? 'none';
    const media = content[type] ?? content[`${type}; charset=utf-8`];
    if (media === undefined) return { mistakes: [`${type} is not in the contract`] };
    if (type === 'application/problem+xml')
      return { mistakes: [], xml: { schema: 'problem', document: body } };
    if (/json$/.test(type)) {
      const value = withoutBase(JSON.parse(body.toString('utf8')));
      return { mistakes: [...this.#faults(media.schema, value), ...findForeignProblem(media, value)] };
    }
    const [, kind] = /\/(User|Group)s?$/.exec(String(/xml$/.test(type) ? media.schema?.$ref : '')) ?? [];
    const schema = kind === 'Group' ? 'group' : 'user';
    return { mistakes: [], ...(kind === undefined ? {} : { xml: { schema, document: body } }) };
  }

  #faults(schema: Json | undefined, value: unknown): string[] {
    if (schema === undefined) throw new Error('the contract has no schema here');
    const validate = this.#validators.get(schema) ?? this.#compile(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  #compile(schema: Json): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll(
      '"#/components',
      '"https://contract.example/openapi#/components',
    );
    const validate = this.#compiled.get(text) ?? this.#ajv.compile(JSON.parse(text));
    this.#compiled.set(text, validate);
    this.#validators.set(schema, validate);
    return validate;
  }
}

/** Whose paths it has, below a base path or without one. */
const isScim = (target: string): boolean => /^(?:\/[^/?]+)?\/scim\/v2(?:[/?]|$)/.test(target);

/** Whether the parameter `attributes` names the groups of a user, or a sub-attribute of them. */
function asksForGroups(target: string): boolean {
  const names = new URLSearchParams(target.split('?')[1]).getAll('attributes').join().split(',');
  return names.some((name) =>
    /^(?:urn:ietf:params:scim:schemas:core:2[.]0:User:)?groups(?:[.]|$)/i.test(name.trim()),
  );
}

interface PublishedContracts {
  /** The OpenAPI document. */
  readonly main: Json;
  /** As SCIM's `/Schemas` shows them. */
  readonly schemas: readonly PublishedSchema[];
}

/** Checks an exchange against the contract of the API whose path it has. */
export function contractChecks({ main, schemas }: PublishedContracts): Pick<ContractCheck, 'check'> {
  const checks = {
    main: new ContractCheck(main),
    scim: new ContractCheck(scimContract(), ofScim),
    scimWithGroups: new ContractCheck(scimContract(true), ofScim),
  };
  return {
    check(exchange) {
      if (!isScim(exchange.target)) return checks.main.check(exchange);
      const scim = asksForGroups(exchange.target) ? checks.scimWithGroups : checks.scim;
      const { mistakes } = scim.check(exchange);
      const { field, body } = answerOf(exchange);
      const isJson = /json$/.test(field('content-type') ?? '') && body.length > 0;
      if (!isJson) return { mistakes };
      const document: unknown = JSON.parse(body.toString());
      const { status } = exchange;
      return {
        mistakes: [
          ...mistakes,
          ...findFaults(document, schemas),
          ...findMismatches(document, { status, field }),
        ],
      };
    },
  };
}
