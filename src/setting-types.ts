/** What settings are made of, wherever they are declared. */
import Type from 'typebox';

/** A group in which an unknown name is a mistake. */
export const closed = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const oneOf = <T extends string[]>(...values: [...T]) =>
  Type.Enum(values, { must: `be one of ${values.join(', ')}` });

/** A time limit: up to an hour. */
export const milliseconds = () => Type.Integer({ minimum: 1, maximum: 3_600_000 });
