/** Makes every URL in responses: from the settings, never from a request's Host or Forwarded. */

export interface UrlSettings {
  /** As clients see it, in front of all gateways: `https://directory.example/v1`; empty: paths alone. */
  readonly publicUrl: string;
  /** All routes stand below it here, such as `/v1`; empty: at the root. */
  readonly basePath: string;
}

/** @param path begins with a slash @returns an absolute URL below the public one, or a path where that is empty */
export type Urls = (path: string) => string;

export const urls = ({ publicUrl, basePath }: UrlSettings): Urls => {
  const base = publicUrl === '' ? basePath : publicUrl.replace(/\/$/, '');
  return (path) => base + path;
};
