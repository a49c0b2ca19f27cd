import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A self-signed certificate for the name, by openssl: `NAME.pem` and `NAME.key` in the folder. */
export function makeCertificate(folder: string, name: string) {
  const [keyFile, file] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', [...made, ...subject, '-keyout', keyFile, '-out', file], { stdio: 'ignore' });
  return { file, keyFile, key: readFileSync(keyFile), cert: readFileSync(file) };
}
