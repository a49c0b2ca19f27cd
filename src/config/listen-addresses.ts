/** Where the service and its metrics listen. */
import { isIPv4 } from 'node:net';
import { SettingsError } from './base/environment.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Only programs on this machine reach it. */
export const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host);

/** Whether it is a wildcard: all addresses of the machine, or all of IPv4. */
const isWithin = (host: string, wildcard: string): boolean =>
  wildcard === '::' || (wildcard === '0.0.0.0' && isIPv4(host));

/**
 * Refuses one place for both, before either has been tried. The system's error would not say which of the two is in use;
 * `check`, which tries one after the other, would not learn of it.
 * @throws SettingsError
 */
export function assertApart(service: Address, metrics: Address): void {
  // 0 is any free port of the service's, and no metrics.
  if (metrics.port === 0 || metrics.port !== service.port) return;
  const isSame = metrics.host.toLowerCase() === service.host.toLowerCase();
  if (isSame || isWithin(metrics.host, service.host) || isWithin(service.host, metrics.host))
    throw new SettingsError(
      `metrics (USERS_METRICS_HOST, USERS_METRICS_PORT): ${metrics.host}:${metrics.port} is where the service listens (USERS_HOST, USERS_PORT)`,
    );
}
