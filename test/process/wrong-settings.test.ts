import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, type Environment } from '../support/process.ts';
import { refusal, withSecret } from './refusal.ts';

const wrong: { what: string; env: Environment; tells: string; leaves?: string[] }[] = [
  {
    what: 'a variable that is no setting',
    env: { USERS_PROT: '1' },
    tells: 'USERS_PROT: there is no such setting',
  },
  { what: 'a port that is no number', env: { USERS_PORT: 'abc' }, tells: 'port (USERS_PORT): must be' },
  {
    what: 'a store that is none',
    env: { USERS_STORE: 'mysql' },
    tells: 'store (USERS_STORE): must be one of',
  },
  {
    what: 'several workers on the store that each would have its own of',
    env: { USERS_STORE: 'memory', USERS_WORKERS: '2' },
    tells: 'workers (USERS_WORKERS): must be 1 with the store memory',
  },
  {
    what: 'workers without authentication, once for all of them',
    env: { ...withSecret, USERS_JWT_ISSUER: '', USERS_WORKERS: '2' },
    tells: 'issuer',
  },
  {
    what: 'metrics where the service listens',
    env: { USERS_PORT: '3999', USERS_METRICS_PORT: '3999' },
    tells: 'metrics (USERS_METRICS_HOST, USERS_METRICS_PORT): 127.0.0.1:3999 is where the service listens',
  },
  {
    what: 'metrics on one of all the addresses where the service listens',
    env: { ...withSecret, USERS_HOST: '0.0.0.0', USERS_PORT: '3999', USERS_METRICS_PORT: '3999' },
    tells: 'metrics (USERS_METRICS_HOST, USERS_METRICS_PORT): 127.0.0.1:3999 is where the service listens',
  },
  {
    what: 'a switch that is neither on nor off',
    env: { USERS_REQUIRE_IF_MATCH: 'yes' },
    tells: 'USERS_REQUIRE_IF_MATCH',
  },
  {
    what: 'a provider for the console without a client there',
    env: { USERS_CONSOLE_ISSUER: 'https://login.example' },
    tells: 'console: issuer (USERS_CONSOLE_ISSUER) and clientId (USERS_CONSOLE_CLIENT_ID) go together',
  },
  {
    what: 'a provider that would break out of the page’s policy',
    env: { USERS_CONSOLE_ISSUER: "https://login.example/;script-src'*'", USERS_CONSOLE_CLIENT_ID: 'console' },
    tells: 'console.issuer (USERS_CONSOLE_ISSUER): must be a URL without credentials, query and fragment',
  },
  {
    what: 'a provider that comes unprotected from another machine',
    env: { USERS_CONSOLE_ISSUER: 'http://login.example', USERS_CONSOLE_CLIENT_ID: 'console' },
    tells: 'console.issuer (USERS_CONSOLE_ISSUER): must be empty or an https URL',
  },
  {
    what: 'a place for reports that would break out of the page’s policy',
    env: { USERS_CONSOLE_REPORT_URL: "https://reports.example/; script-src 'unsafe-inline'" },
    tells: 'console.reportUrl (USERS_CONSOLE_REPORT_URL): must be',
  },
  {
    what: 'a secret that is too short',
    env: { ...withSecret, USERS_JWT_SECRET: 'pssst' },
    tells: 'jwt (USERS_JWT_SECRET): The shared secret has 5 bytes; HS256 takes 32.',
  },
  {
    what: 'a secret that is too short for an algorithm',
    env: { ...withSecret, USERS_JWT_ALGORITHMS: 'HS256 HS512' },
    tells:
      'jwt (USERS_JWT_SECRET, USERS_JWT_ALGORITHMS): The shared secret has 37 bytes; HS256, HS512 takes 64.',
  },
  {
    what: 'a key set that is not there',
    env: { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_FILE: 'missing.json' },
    tells: 'jwt (USERS_JWT_KEY_SET_FILE): missing.json: ',
  },
  {
    what: 'keys that come unprotected from another machine',
    env: { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_URL: 'http://issuer.example/jwks' },
    tells: 'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be empty or an https URL',
  },
  {
    what: 'an address of keys that is none',
    env: { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_URL: 'https://[issuer.example/jwks' },
    tells: 'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be a URL',
  },
  {
    what: 'an issuer without keys',
    env: { USERS_JWT_ISSUER: 'https://issuer.example', USERS_JWT_AUDIENCE: 'users' },
    tells: 'authentication is not configured',
  },
  { what: 'a secret without an issuer', env: { ...withSecret, USERS_JWT_ISSUER: '' }, tells: 'issuer' },
  {
    what: 'an address beyond loopback without authentication',
    env: { USERS_HOST: '0.0.0.0' },
    tells: 'authentication is not configured',
  },
  {
    what: 'an address beyond loopback without authentication, whatever node-config is told',
    env: { USERS_HOST: '0.0.0.0', NODE_ENV: 'test' },
    tells: 'authentication is not configured',
  },
  ...['Production', 'prod', 'production,eu', 'staging', ' production'].map((mode) => ({
    what: `NODE_ENV=${mode}, which would be development`,
    env: { NODE_ENV: mode },
    tells: 'NODE_ENV: must be empty or one of production, development, test',
  })),
  {
    what: 'settings of another deployment than NODE_ENV says',
    env: { NODE_CONFIG_ENV: 'production' },
    tells: 'NODE_CONFIG_ENV: must be left out',
  },
  {
    what: 'settings in a variable that are no JSON',
    env: { NODE_CONFIG: '{"jwt":{"secret":"pssst"' },
    tells: 'NODE_CONFIG: must be an object in JSON',
  },
  { what: 'an unknown setting in such a variable', env: { NODE_CONFIG: '{"prot":1}' }, tells: 'prot' },
  {
    what: 'a folder of settings that is not there',
    env: { NODE_CONFIG_DIR: '/etc/users-that-are-not-there' },
    tells: 'NODE_CONFIG_DIR: /etc/users-that-are-not-there is no folder',
  },
  {
    what: 'a public address that no client could read',
    env: { USERS_PUBLIC_URL: 'https://a"><script>' },
    tells: 'publicUrl (USERS_PUBLIC_URL): must be empty or an http(s) URL',
  },
  {
    what: 'a public address with a password, and does not show it',
    env: { USERS_PUBLIC_URL: 'https://admin:pssst@a.example' },
    tells: 'publicUrl (USERS_PUBLIC_URL): must be empty or an http(s) URL',
  },
  {
    what: 'origins that no browser sends',
    env: { USERS_CORS_ORIGINS: 'https://a.example https://*.example' },
    tells: 'corsOrigins (USERS_CORS_ORIGINS): must be origins',
  },
  {
    what: 'a password in the address of keys, and does not show it',
    env: {
      ...withSecret,
      USERS_JWT_SECRET: '',
      USERS_JWT_KEY_SET_URL: 'https://me:pssst@issuer.example/jwks',
    },
    tells: 'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be a URL without credentials',
  },
  {
    what: 'an algorithm that is none',
    env: { ...withSecret, USERS_JWT_ALGORITHMS: 'HS256 hs512' },
    tells: "jwt (USERS_JWT_SECRET, USERS_JWT_ALGORITHMS): A shared secret can't serve the algorithm hs512",
  },
  {
    what: 'an algorithm that such keys can not serve',
    env: { ...withSecret, USERS_JWT_ALGORITHMS: 'RS256' },
    tells: "A shared secret can't serve the algorithm RS256",
  },
  {
    what: 'what a token must say without keys to check it with',
    env: { USERS_API_KEYS_FILE: 'missing.json', USERS_JWT_ISSUER: 'https://issuer.example' },
    tells: 'jwt: issuer, audience and algorithms are of no use without keys',
  },
  {
    what: 'algorithms without keys',
    env: { USERS_JWT_ALGORITHMS: 'RS256' },
    tells: 'jwt: issuer, audience and algorithms are of no use without keys',
  },
  {
    what: 'a host that is no address',
    env: { ...withSecret, USERS_HOST: '[::1]' },
    tells: '[::1]:0 is no address of this machine: see USERS_HOST',
    leaves: ['data'],
  },
  {
    what: 'a host that is of no use without saying on which link',
    env: { ...withSecret, USERS_HOST: 'fe80::1' },
    tells: 'fe80::1:0 is no address of this machine: see USERS_HOST',
    leaves: ['data'],
  },
  {
    what: 'a host with a port in it',
    env: { ...withSecret, USERS_HOST: '127.0.0.1:3000' },
    tells: '127.0.0.1:3000:0 is no address of this machine: see USERS_HOST',
    leaves: ['data'],
  },
  {
    what: 'production without authentication',
    env: { NODE_ENV: 'production' },
    tells: 'authentication is not configured',
  },
];

describe('Starting the service with wrong settings', () => {
  afterEach(discardProcesses);

  for (const { what, env, tells, leaves = [] } of wrong) {
    it(`refuses ${what}, in one line that names it, and leaves ${leaves.length > 0 ? 'its data alone' : 'no file'} behind`, async () => {
      const folder = aDataFolder();
      const line = await refusal(folder, env);
      expect(line).to.contain(tells).and.not.to.contain('pssst');
      expect(readdirSync(folder)).to.deep.equal(leaves);
    });
  }
});
