/** Preloaded (`node --import`) into a service: the thread that writes to its store dies when it is ready, before the service listens. */
import { once } from 'node:events';
import { Server } from 'node:net';
import type { Worker } from 'node:worker_threads';

process.once('worker', (writer: Worker) => {
  const { listen } = Server.prototype;
  const dead = once(writer, 'exit');
  writer.once('message', () => void writer.terminate());
  Server.prototype.listen = function (this: Server, ...where: unknown[]) {
    void dead.then(() => Reflect.apply(listen, this, where));
    return this;
  };
});
