/** Schemas that the settings of the service and of its stores share. */
import Type from 'typebox';

/** A group of settings in which unknown names are mistakes. */
export const closed = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const oneOf = <T extends string[]>(...values: [...T]) =>
  Type.Enum(values, { must: `be one of ${values.join(', ')}` });

/** A time limit: up to an hour. */
export const milliseconds = () => Type.Integer({ minimum: 1, maximum: 3_600_000 });

/** Without TLS, an attacker on the network path could replace what is fetched from there, such as an issuer's keys. */
export const secureUrl = () => {
  const here = '(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])';
  return Type.String({
    pattern: `^$|^https://[^\\s#]+$|^http://${here}(?::\\d+)?(?:[/?][^\\s#]*)?$`,
    must: 'be empty or an https URL; http on this machine alone',
  });
};

/** It is compared exactly, and a space at its end is invisible. */
export const plainText = () =>
  Type.String({
    pattern: '^(?![\\s\\S]*[\\u0000-\\u001f\\u007f])(?:\\S(?:[\\s\\S]*\\S)?)?$',
    must: 'have no control characters, and no spaces at its ends',
  });

/** As in `Host`, in any case. */
export const hostNames = () =>
  Type.String({
    pattern: '^(?:[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*(?: |$))*$',
    must: 'be host names without a port, separated by spaces',
  });
