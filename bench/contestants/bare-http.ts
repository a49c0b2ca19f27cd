/** Node's own server with a constant answer: what floods do to it, as a measure. */
import { createServer } from 'node:http';
import { announce } from './announce.ts';

const server = createServer((_request, response) => void response.writeHead(204).end());
server.listen(0, '127.0.0.1', 4096, () => announce(server));
process.once('SIGTERM', () => process.exit(0));
