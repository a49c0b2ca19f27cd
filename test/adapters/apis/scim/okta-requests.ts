/** How Okta asks. */
import type { Exchange } from './exchanges.ts';

/** With each request, a GET too. */
export const oktaHeaders = {
  Accept: 'application/scim+json',
  'Accept-Charset': 'utf-8',
  'Content-Type': 'application/scim+json; charset=utf-8',
  'User-Agent': 'Okta SCIM Client 1.0.0',
  'Accept-Encoding': 'gzip,deflate',
};

type Sent = Pick<Exchange, 'method' | 'path' | 'body' | 'authorization'>;

export const okta = (
  title: string,
  sent: Sent,
  answer: Exchange['answer'],
  headers = oktaHeaders,
): Exchange => ({
  title,
  headers,
  ...sent,
  answer,
});

/** @param name as it stands in the address */
export const search = (name: string): Sent => ({
  method: 'GET',
  path: `/Users?filter=userName%20eq%20%22${name}%22&startIndex=1&count=100`,
});
