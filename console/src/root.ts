/** The address of the service: two folders above the script, whatever prefix a gateway adds. */
const root = new URL('../..', import.meta.url).href;

/** @param path without a slash at its start */
export const urlOf = (path: string): string => new URL(path, root).href;
/** For the client of the API: without a slash at its end. */
export const baseUrl = root.replace(/\/$/, '');

/** A setting of the service, from the head of the page; empty: not set. */
export function readMeta(name: string): string {
  const element = document.querySelector(`meta[name="${name}"]`);
  return element instanceof HTMLMetaElement ? element.content : '';
}
