/** Schemas that the settings of the service and of its stores share. */
import Type from 'typebox';

/** A group of settings in which unknown names are mistakes. */
export const closed = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const oneOf = <T extends string[]>(...values: [...T]) =>
  Type.Enum(values, { must: `be one of ${values.join(', ')}` });

/** A time limit: up to an hour. */
export const milliseconds = () => Type.Integer({ minimum: 1, maximum: 3_600_000 });
