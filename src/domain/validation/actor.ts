/** Who has written something: a store takes it with each write, and the change log keeps it. */

/** Who writes, and how. */
export interface Actor {
  /** The principal's id. */
  readonly client: string;
  /** The person on whose behalf the client writes, if the credentials name one. */
  readonly person?: Person | undefined;
  /** The API, such as `users` or `scim`; or `import`, `copy`, `command`. */
  readonly via: string;
  /** The id of the request, for a write over HTTP. */
  readonly request?: string | undefined;
}

/** The subject of a token that is another than its client (RFC 7519 §4.1.1, §4.1.2). */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
}
