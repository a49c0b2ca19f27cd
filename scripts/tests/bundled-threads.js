/**
 * Preloaded by the processes of the pool, and so by their threads: the threads of SQLite's store run from the bundle, which `npm test`
 * builds first. From source, each thread of each store would load 700 modules of typebox: twice the CPU time of the store's tests.
 */
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const entry = /\/src\/adapters\/stores\/sqlite\/(?:write|search)\/(writer|search-thread)\.ts$/;

if (!isMainThread)
  registerHooks({
    resolve(specifier, context, resolveNext) {
      const [, name] = (context.parentURL === undefined && entry.exec(specifier)) || [];
      if (name === undefined) return resolveNext(specifier, context);
      return { url: new URL(`../../build/bundle/${name}.js`, import.meta.url).href, shortCircuit: true };
    },
  });
