/** The client of the public API: paths, parameters and results are those of its contract. */
import type { paths } from '../contract.ts';
import { baseUrl } from '../root.ts';
import { type Failure, failureOfAnswer, failureOfError } from './failure.ts';
import { send } from './send.ts';

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

type Method = 'get' | 'put' | 'post' | 'delete';
type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Readonly<Record<M, object>> ? Path : never;
}[keyof paths];

/** Parts of a request. */
interface Parts {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly header?: object | undefined;
  /** Sent as JSON; not yet checked. */
  readonly body?: object;
  /** A UUID that all requests of one operation have in common; the history finds their changes by it. */
  readonly operation?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

type PartsOf<O> = O extends { readonly parameters: infer P }
  ? Omit<Parts, keyof P> & Pick<P, keyof P & keyof Parts>
  : never;

/** The JSON of a success. */
type ResultOf<O> = O extends { readonly responses: infer R }
  ? {
      [S in keyof R & (200 | 201)]: R[S] extends { content: { 'application/json': infer J } } ? J : never;
    }[keyof R & (200 | 201)]
  : never;

/** Spaces are sent as `%20`: a `+` in a filter could mean either. */
const printQuery = (query: object): string =>
  Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one): [string, unknown] => [name, one]))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');

function urlOf(template: string, { path = {}, query = {} }: Parts): string {
  const values = new Map<string, unknown>(Object.entries(path));
  const at = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))));
  const printed = printQuery(query);
  return baseUrl + at + (printed && `?${printed}`);
}

/** A gateway's page is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param take makes the value of a success from its text */
export async function askText<V>(
  method: Method,
  template: string,
  parts: Parts,
  take: (text: string, headers: Headers) => V,
): Promise<Outcome<V>> {
  // Without a response, the outcome of a change is unknown.
  const mayArrive = method !== 'get' && navigator.onLine;
  const { header, body, operation, signal } = parts;
  try {
    const response = await send(urlOf(template, parts), signal, {
      method: method.toUpperCase(),
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(operation && { 'X-Request-Id': operation }),
        ...header,
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.text();
    if (!response.ok) return { ok: false, failure: failureOfAnswer(response, parse(text)) };
    return { ok: true, value: take(text, response.headers) };
  } catch (error) {
    return { ok: false, failure: failureOfError(error, mayArrive) };
  }
}

/** @param take makes the value of a success; a 204 has no content */
export const ask = <M extends Method, P extends PathOf<M>, V>(
  method: M,
  template: P,
  parts: PartsOf<paths[P][M]>,
  take: (result: ResultOf<paths[P][M]>, headers: Headers) => V,
): Promise<Outcome<V>> =>
  askText(method, template, parts, (text, headers) => take(text && JSON.parse(text), headers));
