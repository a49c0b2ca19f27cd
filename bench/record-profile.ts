/** Preloaded into a server. Profiles from one message to the next, so that the start isn't included. */
import { Session } from 'node:inspector/promises';

const session = new Session();
process.on('message', async (message) => {
  if (message === 'profile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
    process.send?.({ profiling: true });
  } else if (message === 'profiled') process.send?.(await session.post('Profiler.stop'));
});
