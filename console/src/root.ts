/** Where the service is: two folders above the script's own, whatever prefix a gateway has put in front. */
const root = new URL('../..', import.meta.url).href;

/** @param path without a slash at its start */
export const urlOf = (path: string): string => new URL(path, root).href;
/** As the client of the API wants it: without a slash at its end. */
export const baseUrl = root.replace(/\/$/, '');

/** A setting of the service, which stands in the page's head; empty: it isn't set. */
export function readMeta(name: string): string {
  const element = document.querySelector(`meta[name="${name}"]`);
  return element instanceof HTMLMetaElement ? element.content : '';
}
