/** Every URL the service gives out is made here: never from what a request says of itself. */

export interface UrlSettings {
  /** What clients see in front of all gateways, such as `https://directory.example/v1`; empty: paths alone. */
  readonly publicUrl: string;
  /** The path below which the routes stand here, such as `/v1`; empty: at the root. */
  readonly basePath: string;
}

/** Absolute below the public URL, or else path-absolute below the base path. `path` begins with a slash. */
export type Urls = (path: string) => string;

export const urls = ({ publicUrl, basePath }: UrlSettings): Urls => {
  const base = publicUrl === '' ? basePath : publicUrl.replace(/\/$/, '');
  return (path) => base + path;
};
