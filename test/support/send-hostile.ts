/** Hostile requests to a service in this process. */
import { gzipSync } from 'node:zlib';
import type { Answer, TestService } from './service.ts';
import type { HostileRequest } from './watched-service.ts';

export function sendHostile(service: TestService, request: HostileRequest): Promise<Answer> {
  const { method, path, type, body, gzip = false } = request;
  const coding = gzip ? { 'content-encoding': 'gzip' } : {};
  const headers = { 'content-type': type, accept: type, ...coding };
  return service.send(path, { method, headers, body: gzip ? gzipSync(body, { level: 1 }) : body });
}
