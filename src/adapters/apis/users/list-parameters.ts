/** The query parameters of the list, as OpenAPI has them. */
import { filterNames, filters } from '../../../domain/filters.ts';
import type { Schema } from '../../contracts/names.ts';
import { textPattern } from '../../contracts/request-schema.ts';
import { listParameters, maxLimit } from './list-query.ts';

/** How a cursor's 24 bytes look in base64url. */
const cursorPattern = '^[A-Za-z0-9_-]{32}$';

interface Parameter {
  readonly description: string;
  readonly schema: Schema;
}

const paging: Readonly<Record<string, Parameter>> = {
  limit: {
    description: 'How many users a page has at most. Without it the answer is all of them.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit },
  },
  after: {
    description:
      'Where the page begins: from the `Link` of the page before, with the same filters. Goes with `limit`.',
    schema: { type: 'string', pattern: cursorPattern },
  },
};

const whatever: Schema = { type: 'string', minLength: 1, pattern: textPattern };

/** A filter that takes a truth value and no other text is one of truth values. */
function filter(name: (typeof filterNames)[number]): Parameter {
  const { key } = filters[name];
  const isFlag = key('true') !== undefined && key('no truth value') === undefined;
  return {
    description: `Only users whose \`${name}\` is this.`,
    schema: isFlag ? { type: 'boolean' } : whatever,
  };
}

const all = new Map(Object.entries(paging));
for (const name of filterNames) all.set(name, filter(name));

/** `components.parameters` of the list. @throws Error for one that is not described here */
export const queryParameters = (): Schema =>
  Object.fromEntries(
    listParameters.map((name) => {
      const parameter = all.get(name);
      if (parameter === undefined) throw new Error(`the parameter ${name} is not described`);
      return [name, { name, in: 'query', ...parameter }];
    }),
  );

export const queryParameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` });
