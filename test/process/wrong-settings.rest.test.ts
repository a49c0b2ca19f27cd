import { itRefuses, type WrongSettings, withSecret } from './refusal.ts';

const wrong: WrongSettings = {
  'a variable without a setting': [
    { USERS_PROT: '1' },
    'USERS_PROT: there is no such setting (perhaps USERS_PORT)',
  ],
  'a port that is not a number': [{ USERS_PORT: 'abc' }, 'port (USERS_PORT): must be'],
  'an unknown store': [{ USERS_STORE: 'mysql' }, 'store (USERS_STORE): must be one of'],
  'several workers on a store that they could not share': [
    { USERS_STORE: 'memory', USERS_WORKERS: '2' },
    'workers (USERS_WORKERS): must be 1 with the store memory',
  ],
  'metrics on the address of the service': [
    { USERS_PORT: '3999', USERS_METRICS_PORT: '3999' },
    'metrics (USERS_METRICS_HOST, USERS_METRICS_PORT): 127.0.0.1:3999 is the address of the service',
  ],
  'metrics on one address of a service that listens on all': [
    { ...withSecret, USERS_HOST: '0.0.0.0', USERS_PORT: '3999', USERS_METRICS_PORT: '3999' },
    'metrics (USERS_METRICS_HOST, USERS_METRICS_PORT): 127.0.0.1:3999 is the address of the service',
  ],
  'a switch that is neither true nor false': [{ USERS_REQUIRE_IF_MATCH: 'yes' }, 'USERS_REQUIRE_IF_MATCH'],
  'a version of the contract that nobody has released': [
    { USERS_CONTRACT: '1.11' },
    'contract (USERS_CONTRACT): must be empty or one of 1.12',
  ],
  'a client that is pinned to no version': [
    { USERS_CONTRACT_CLIENTS: 'erp=1.12 hr' },
    'contractClients (USERS_CONTRACT_CLIENTS): must be client=version, each client once, separated by spaces',
  ],
  'a client that is pinned to two versions': [
    { USERS_CONTRACT_CLIENTS: 'hr=1.12 erp=1.12 erp=1.13' },
    'contractClients (USERS_CONTRACT_CLIENTS): must be client=version, each client once',
  ],
  'a time zone that nobody knows': [
    { USERS_VALIDITY_TIMEZONE: 'Europe/Atlantis' },
    'validity.timezone (USERS_VALIDITY_TIMEZONE): must be an IANA time zone',
  ],
  'a provider for the console without a client id': [
    { USERS_CONSOLE_ISSUER: 'https://login.example' },
    'console: issuer (USERS_CONSOLE_ISSUER) and clientId (USERS_CONSOLE_CLIENT_ID) go together',
  ],
  "a provider's URL that would break out of the page’s policy": [
    { USERS_CONSOLE_ISSUER: "https://login.example/;script-src'*'", USERS_CONSOLE_CLIENT_ID: 'console' },
    'console.issuer (USERS_CONSOLE_ISSUER): must be a URL without credentials, query and fragment',
  ],
  'a provider on another machine without TLS': [
    { USERS_CONSOLE_ISSUER: 'http://login.example', USERS_CONSOLE_CLIENT_ID: 'console' },
    'console.issuer (USERS_CONSOLE_ISSUER): must be empty or an https URL',
  ],
  'a URL for reports that would break out of the page’s policy': [
    { USERS_CONSOLE_REPORT_URL: "https://reports.example/; script-src 'unsafe-inline'" },
    'console.reportUrl (USERS_CONSOLE_REPORT_URL): must be',
  ],
  ...Object.fromEntries(
    ['Production', 'prod', 'production,eu', 'staging', ' production'].map((mode) => [
      `NODE_ENV=${mode}, which would be development`,
      [{ NODE_ENV: mode }, 'NODE_ENV: must be empty or one of production, development, test'] as const,
    ]),
  ),
  'a NODE_CONFIG_ENV that differs from NODE_ENV': [
    { NODE_CONFIG_ENV: 'production' },
    'NODE_CONFIG_ENV: must be left out',
  ],
  'a NODE_CONFIG that is not JSON': [
    { NODE_CONFIG: '{"jwt":{"secret":"pssst"' },
    'NODE_CONFIG: must be an object in JSON',
  ],
  'an unknown setting in NODE_CONFIG': [{ NODE_CONFIG: '{"prot":1}' }, 'prot'],
  'a missing folder of settings': [
    { NODE_CONFIG_DIR: '/etc/users-that-are-not-there' },
    'NODE_CONFIG_DIR: /etc/users-that-are-not-there is not a folder',
  ],
  'a public URL that no client could read': [
    { USERS_PUBLIC_URL: 'https://a"><script>' },
    'publicUrl (USERS_PUBLIC_URL): must be empty or an http(s) URL',
  ],
  'a public URL with a password, which it does not show': [
    { USERS_PUBLIC_URL: 'https://admin:pssst@a.example' },
    'publicUrl (USERS_PUBLIC_URL): must be empty or an http(s) URL',
  ],
  'origins that no browser sends': [
    { USERS_CORS_ORIGINS: 'https://a.example https://*.example' },
    'corsOrigins (USERS_CORS_ORIGINS): must be origins',
  ],
};

/** Which only the attempt to listen shows. */
const noAddresses: WrongSettings = {
  'a host that is not an address': [
    { ...withSecret, USERS_HOST: '[::1]' },
    '[::1]:0 is not an address of this machine: correct USERS_HOST',
  ],
  'a link-local address without its interface': [
    { ...withSecret, USERS_HOST: 'fe80::1' },
    'fe80::1:0 is not an address of this machine: correct USERS_HOST',
  ],
  'a host with a port in it': [
    { ...withSecret, USERS_HOST: '127.0.0.1:3000' },
    '127.0.0.1:3000:0 is not an address of this machine: correct USERS_HOST',
  ],
};

describe('Starting the service with wrong settings', () => {
  itRefuses(wrong);
  itRefuses(noAddresses, 'its data alone');
});
