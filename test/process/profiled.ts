/** A service with a file of access profiles. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aDataFolder, type Environment, type Process } from '../support/process.ts';

export const phonebook = "phonebook: { users: { read: ['userName'] } }";

export const sales = "sales: { users: { where: { department: 'Sales' }, read: '*' } }";

/** A folder with a file of these profiles. */
export function prepare(...profiles: readonly string[]) {
  const folder = aDataFolder();
  const file = join(folder, 'access.json5');
  const write = (...those: readonly string[]) => writeFileSync(file, `{ profiles: { ${those.join(', ')} } }`);
  write(...profiles);
  return { folder, file, write, env: { USERS_ACCESS_FILE: file } as Environment };
}

export async function ask(service: Process, profile?: string, path = '/access') {
  const more = profile === undefined ? [] : [`as:${profile}`];
  const authorization = `Bearer ${await service.token(['users:read', ...more])}`;
  const response = await fetch(service.url + path, { headers: { authorization } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export const statusOf = async (...given: Parameters<typeof ask>) => (await ask(...given)).status;
