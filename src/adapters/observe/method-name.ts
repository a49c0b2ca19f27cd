/** Those of RFC 9110 and PATCH. */
const known: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);

/** OpenTelemetry's `http.request.method`: a client may send any token as a method, and each would be a name of its own. */
export const nameOfMethod = (method = ''): string => (known.has(method) ? method : '_OTHER');
