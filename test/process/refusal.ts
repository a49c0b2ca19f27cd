/** How the service refuses to start. */
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, type Environment, run } from '../support/process.ts';

export const withSecret = {
  USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
  USERS_JWT_ISSUER: 'https://issuer.example',
  USERS_JWT_AUDIENCE: 'users',
};

/** It ends by itself, unsuccessfully, with nothing but one line for the operator. Returns the line. */
export async function refusal(folder: string, env: Environment): Promise<string> {
  const { code, told, log } = await run([], folder, env);
  expect(code).to.equal(1);
  expect(told).to.have.length(1);
  expect(log).to.deep.equal([]);
  return String(told[0]);
}

/** Wrong settings, and the text that the line must contain. */
export type WrongSettings = Readonly<Record<string, readonly [env: Environment, tells: string]>>;

/** Within a `describe`: a test for each. No line may contain `pssst`, which stands for a secret. */
export function itRefuses(wrong: WrongSettings, leaves: 'no file' | 'its data alone' = 'no file'): void {
  afterEach(discardProcesses);

  for (const [what, [env, tells]] of Object.entries(wrong))
    it(`refuses ${what}, in one line that names it, and leaves ${leaves} behind`, async () => {
      const folder = aDataFolder();
      const line = await refusal(folder, env);
      expect(line).to.contain(tells).and.not.to.contain('pssst');
      expect(readdirSync(folder)).to.deep.equal(leaves === 'no file' ? [] : ['data']);
    });
}
