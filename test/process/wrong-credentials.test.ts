import { itRefuses, type WrongSettings, withSecret } from './refusal.ts';

const wrong: WrongSettings = {
  'workers without authentication, once for all of them': [
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
  'a key set that is not there': [
    { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_FILE: 'missing.json' },
    'jwt (USERS_JWT_KEY_SET_FILE): missing.json: ',
  ],
  'keys that come unprotected from another machine': [
    { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_URL: 'http://issuer.example/jwks' },
    'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be empty or an https URL',
  ],
  'an address of keys that is none': [
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
  'a password in the address of keys, and does not show it': [
    {
      ...withSecret,
      USERS_JWT_SECRET: '',
      USERS_JWT_KEY_SET_URL: 'https://me:pssst@issuer.example/jwks',
    },
    'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be a URL without credentials',
  ],
  'an algorithm that is none': [
    { ...withSecret, USERS_JWT_ALGORITHMS: 'HS256 hs512' },
    "jwt (USERS_JWT_SECRET, USERS_JWT_ALGORITHMS): A shared secret can't serve the algorithm hs512",
  ],
  'an algorithm that such keys can not serve': [
    { ...withSecret, USERS_JWT_ALGORITHMS: 'RS256' },
    "A shared secret can't serve the algorithm RS256",
  ],
  'what a token must say without keys to check it with': [
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
