/** The query parameters of the list, in OpenAPI's terms. */
import { filterNames, filters } from '../../../domain/filters.ts';
import { textPattern } from '../../contracts/request-schema.ts';
import type { Parameter } from '../../http/api.ts';
import { listParameters, maxLimit } from './list-query.ts';

/** A cursor has 24 bytes, in base64url. */
const cursorPattern = '^[A-Za-z0-9_-]{32}$';

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

const anyText: Parameter['schema'] = { type: 'string', minLength: 1, pattern: textPattern };

/** A filter that takes `true` and no other text is a boolean. */
function describeFilter(name: (typeof filterNames)[number]): Parameter {
  const { key } = filters[name];
  const isFlag = key('true') !== undefined && key('no truth value') === undefined;
  return {
    description: `Only users whose \`${name}\` is this.`,
    schema: isFlag ? { type: 'boolean' } : anyText,
  };
}

const all = new Map(Object.entries(paging));
for (const name of filterNames) all.set(name, describeFilter(name));

/** In the order of `listParameters`. @throws Error for a parameter that has no description here */
export const listParameterTypes: Readonly<Record<string, Parameter>> = Object.fromEntries(
  listParameters.map((name) => {
    const parameter = all.get(name);
    if (parameter === undefined) throw new Error(`the parameter ${name} is not described`);
    return [name, parameter];
  }),
);
