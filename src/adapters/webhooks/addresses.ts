/** Where messages may go: the rules for a receiver's URL, and those for the addresses that its name has when a connection is made. */
import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';

function listOf(subnets: readonly (readonly [string, number, Family])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

/** Loopback, RFC 1918 and RFC 4193. */
const nearby = listOf([
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
]);

/** No host, or a cloud's metadata: link-local, multicast and unspecified addresses; Amazon's and Alibaba's metadata. */
const never = listOf([
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fd00:ec2::254', 128, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

const familyOf = (address: string): Family => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Why nothing may be sent to the address. Without TLS, only nearby addresses are allowed; with TLS, the certificate exposes an impostor.
 * @param protocol as of `URL`
 */
export function describeAddressFault(protocol: string, address: string): string | undefined {
  const family = familyOf(address);
  if (never.check(address, family)) return `${address} is no address of a receiver`;
  return protocol === 'https:' || nearby.check(address, family)
    ? undefined
    : `${address} is neither loopback nor private: use https`;
}

/** Parts that `URL` would tolerate or drop: spaces, control characters, backslashes, userinfo (also empty) and a fragment. */
const shape = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?][^\s\p{Cc}\\#]*)?$/iu;

/**
 * Looks at the text alone, not at the network: the addresses of a name are checked when a connection is made.
 * @throws Error that says what is wrong
 */
export function assertUrl(text: string): void {
  if (text.length > 2000 || !shape.test(text) || !URL.canParse(text))
    throw new Error(
      'must be an https URL, or http on this machine or a private network, without userinfo and fragment',
    );
  const { protocol, hostname, port } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (port === '0') throw new Error('must not have port 0');
  const fault = isIP(host) === 0 ? undefined : describeAddressFault(protocol, host);
  if (fault !== undefined) throw new Error(fault);
}
