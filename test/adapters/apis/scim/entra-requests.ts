/** How Microsoft Entra ID asks. */
import type { Exchange } from './exchanges.ts';

type Sent = Pick<Exchange, 'method' | 'path' | 'body'>;

/** Of the requests that bring one: it says nothing of what it accepts. */
const bodyHeaders = { 'Content-Type': 'application/scim+json; charset=utf-8' };

export const entra = (
  title: string,
  sent: Sent,
  answer: Exchange['answer'],
  headers: Exchange['headers'] = sent.body === undefined ? {} : bodyHeaders,
): Exchange => ({ title, headers, ...sent, answer });

/** @param attribute and value as they stand in the address */
export const search = (attribute: string, value: string): Sent => ({
  method: 'GET',
  path: `/Users?filter=${attribute}+eq+%22${value}%22`,
});

export const workEmail = 'emails%5Btype+eq+%22work%22%5D.value';
