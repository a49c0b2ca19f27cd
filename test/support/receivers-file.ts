import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file with the receiver of webhooks, for the setting `webhooks.file`. @param receiver left out: one that nobody listens for */
export function receiversFile(folder: string, receiver: object = {}): string {
  const file = join(folder, 'webhooks.json5');
  const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
  const receivers = [{ id: 'payroll', url: 'http://127.0.0.1:9/', secrets, ...receiver }];
  writeFileSync(file, JSON.stringify({ receivers }), { mode: 0o600 });
  return file;
}
