/** Generated declarations of attributes, and values for them: any that the rules allow. */
import fc from 'fast-check';
import {
  type Declarations,
  type Declared,
  maxAttributeLength,
  parseDeclarations,
} from '../../src/domain/kinds/attributes/declaration.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import {
  type AttributeValue,
  attributeText,
  findDecimalFault,
} from '../../src/domain/validation/attribute-types.ts';
import { tidyText } from './tidy-users.ts';
import { anyUser, attributeName, text } from './users.ts';

type AnyOf<T> = fc.Arbitrary<T>;

const [lowest, highest] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
/** Of the only pattern that generated declarations have. */
const patterned = /^[A-Z]{2}[0-9]{1,6}$/;

const line = text(24).map((value) => value.replace(/[\r\n]/g, '-'));
/** As a table can hold it. */
const tidyLine = line.map((value) => tidyText(value) || '-');

const decimal = fc
  .tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => Number(`${digits}e-${places}`) + 0)
  .filter((value) => findDecimalFault(value) === undefined);

const day = (from: string, to: string): AnyOf<Date> =>
  fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true });

/** Of one value, or of an item of a list. */
function anyOne({
  type,
  list,
  maxLength = maxAttributeLength,
  pattern,
  values,
  ...limits
}: Declared): AnyOf<AttributeValue> {
  const { minimum = lowest, maximum = highest } = limits;
  switch (type) {
    case 'string': {
      if (values !== undefined) return fc.constantFrom(...values);
      if (pattern !== undefined)
        return fc.stringMatching(patterned).filter(({ length }) => length <= maxLength);
      return list ? line.map((value) => [...value].slice(0, maxLength).join('')) : text(maxLength);
    }
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) });
    case 'decimal':
      return fc.oneof(decimal, fc.constantFrom(minimum, maximum)).filter((value) => {
        return value >= minimum && value <= maximum && findDecimalFault(value) === undefined;
      });
    case 'date':
      return day('0001-01-01', '9999-12-31').map((value) => value.toISOString().slice(0, 10));
    case 'dateTime':
      return day('1000-01-01', '9999-12-31').map((value) => value.toISOString());
    case 'user':
      return fc.uuid();
  }
}

/** A value of the attribute, as it is stored. */
export function anyValueOf(declared: Declared): AnyOf<AttributeValue | readonly AttributeValue[]> {
  const one = anyOne(declared);
  if (!declared.list) return one;
  return fc
    .uniqueArray(one, { minLength: 1, maxLength: Math.min(declared.maxItems ?? 100, 6) })
    .filter((items) => [...attributeText(items)].length <= maxAttributeLength);
}

const optional = <T>(arbitrary: AnyOf<T>): AnyOf<T | undefined> => fc.option(arbitrary, { nil: undefined });

const about = fc.record(
  {
    list: fc.boolean(),
    filter: fc.boolean(),
    unique: fc.boolean(),
    description: tidyLine,
    label: fc.record({ en: tidyLine, de: tidyLine }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const limitsOf: Partial<Record<Declared['type'], AnyOf<Partial<Declared>>>> = {
  string: fc.oneof(
    fc.constant({}),
    fc.integer({ min: 1, max: maxAttributeLength }).map((maxLength) => ({ maxLength })),
    fc.record({ maxLength: fc.integer({ min: 3, max: 10 }), pattern: fc.constant(patterned.source) }),
    fc.uniqueArray(tidyLine, { minLength: 1, maxLength: 5 }).map((values) => ({ values })),
  ),
  integer: fc
    .tuple(fc.maxSafeInteger(), fc.maxSafeInteger())
    .map(([one, other]) => ({ minimum: Math.min(one, other), maximum: Math.max(one, other) })),
  decimal: fc
    .tuple(decimal, decimal)
    .map(([one, other]) => ({ minimum: Math.min(one, other), maximum: Math.max(one, other) })),
};

/** Of any type, with any limits that suit it. */
export const anyDeclared: AnyOf<Declared> = fc
  .constantFrom<Declared['type'][]>('string', 'boolean', 'integer', 'decimal', 'date', 'dateTime', 'user')
  .chain((type) =>
    fc
      .tuple(about, optional(limitsOf[type] ?? fc.constant({})), optional(fc.integer({ min: 1, max: 100 })))
      .map(([beside, limits, maxItems]) => ({
        ...{ type, ...beside, ...limits },
        ...(beside.list && maxItems !== undefined && { maxItems }),
      })),
  );

const inherited = Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase());
const declaredName = attributeName.filter((name) => !inherited.includes(name.toLowerCase()));

const byLowerCase = ([name]: readonly [string, unknown]): string => name.toLowerCase();

/** At least one attribute. None is retired. */
export const anyDeclarations: AnyOf<Declarations> = fc
  .record(
    {
      undeclared: fc.constantFrom('text', 'refuse'),
      attributes: fc
        .uniqueArray(fc.tuple(declaredName, anyDeclared), {
          selector: byLowerCase,
          minLength: 1,
          maxLength: 6,
        })
        .map((pairs) => Object.fromEntries(pairs)),
    },
    { requiredKeys: ['attributes'] },
  )
  .map((given) => {
    const faults = parseDeclarations(given, () => []);
    if (Array.isArray(faults)) throw new Error(`no declarations: ${JSON.stringify(given)}: ${faults.join()}`);
    return given as Declarations;
  });

/** A user as it is stored, with some of the declared attributes, and others if they are allowed. */
export function anyUserWith({ attributes = {}, undeclared }: Declarations): AnyOf<User> {
  const declared = fc.record(
    Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, anyValueOf(one)])),
    { requiredKeys: [] },
  );
  const names = new Set(Object.keys(attributes).map((name) => name.toLowerCase()));
  return fc.tuple(anyUser(), declared).map(([{ attributes: texts = {}, ...user }, typed]) => {
    const others = undeclared === 'refuse' ? [] : Object.entries(texts);
    const all = [...others.filter(([name]) => !names.has(name.toLowerCase())), ...Object.entries(typed)];
    if (all.length === 0) return user;
    const { validFrom, validUntil, meta, ...before } = user;
    return { ...before, attributes: Object.fromEntries(all), meta } as unknown as User;
  });
}
