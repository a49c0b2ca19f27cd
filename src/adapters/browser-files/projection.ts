/** In the place of `domain/resource/projection.ts` in the browser's bundle: the service has projected what a page gets. */
export const projectionOf = (): undefined => undefined;
export const textsOnly = projectionOf;
