import { itRefuses, type WrongSettings, withSecret } from './refusal.ts';

const wrong: WrongSettings = {
  'authentication without an issuer, once for all workers': [
    { ...withSecret, USERS_JWT_ISSUER: '', USERS_WORKERS: '2' },
    'issuer',
  ],
  'a secret that is too short': [
    { ...withSecret, USERS_JWT_SECRET: 'pssst' },
    'jwt (USERS_JWT_SECRET): The shared secret has 5 bytes; HS256 takes 32.',
  ],
  'a secret that is too short for an algorithm': [
    { ...withSecret, USERS_JWT_ALGORITHMS: 'HS256 HS512' },
    'jwt (USERS_JWT_SECRET, USERS_JWT_ALGORITHMS): The shared secret has 37 bytes; HS256, HS512 takes 64.',
  ],
  'a missing key set': [
    { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_FILE: 'missing.json' },
    'jwt (USERS_JWT_KEY_SET_FILE): missing.json: ',
  ],
  'a URL of keys on another machine without TLS': [
    { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_URL: 'http://issuer.example/jwks' },
    'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be empty or an https URL',
  ],
  'an invalid URL of keys': [
    { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_URL: 'https://[issuer.example/jwks' },
    'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be a URL',
  ],
  'an issuer without keys': [
    { USERS_JWT_ISSUER: 'https://issuer.example', USERS_JWT_AUDIENCE: 'users' },
    'authentication is not configured',
  ],
  'a secret without an issuer': [{ ...withSecret, USERS_JWT_ISSUER: '' }, 'issuer'],
  'an address beyond loopback without authentication': [
    { USERS_HOST: '0.0.0.0' },
    'authentication is not configured',
  ],
  'an address beyond loopback without authentication, in the deployment for tests': [
    { USERS_HOST: '0.0.0.0', NODE_ENV: 'test' },
    'authentication is not configured',
  ],
  'a password in the URL of keys, which it does not show': [
    {
      ...withSecret,
      USERS_JWT_SECRET: '',
      USERS_JWT_KEY_SET_URL: 'https://me:pssst@issuer.example/jwks',
    },
    'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be a URL without credentials',
  ],
  'an unknown algorithm': [
    { ...withSecret, USERS_JWT_ALGORITHMS: 'HS256 hs512' },
    "jwt (USERS_JWT_SECRET, USERS_JWT_ALGORITHMS): A shared secret can't serve the algorithm hs512",
  ],
  'an algorithm for another type of key': [
    { ...withSecret, USERS_JWT_ALGORITHMS: 'RS256' },
    "A shared secret can't serve the algorithm RS256",
  ],
  'required claims without keys': [
    { USERS_API_KEYS_FILE: 'missing.json', USERS_JWT_ISSUER: 'https://issuer.example' },
    'jwt: issuer, audience and algorithms are of no use without keys',
  ],
  'algorithms without keys': [
    { USERS_JWT_ALGORITHMS: 'RS256' },
    'jwt: issuer, audience and algorithms are of no use without keys',
  ],
  'production without authentication': [{ NODE_ENV: 'production' }, 'authentication is not configured'],
};

describe('Starting the service with wrong settings for authentication', () => {
  itRefuses(wrong);
});
