/** How the service refuses to start. */
import { expect } from 'chai';
import { type Environment, run } from '../support/process.ts';

export const withSecret = {
  USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
  USERS_JWT_ISSUER: 'https://issuer.example',
  USERS_JWT_AUDIENCE: 'users',
};

/** It ends by itself, unsuccessfully, with nothing but one line for the operator. Returns the line. */
export async function refusal(folder: string, env: Environment): Promise<string> {
  const { code, told, log } = await run('main', folder, env);
  expect(code).to.equal(1);
  expect(told).to.have.length(1);
  expect(log).to.deep.equal([]);
  return String(told[0]);
}
