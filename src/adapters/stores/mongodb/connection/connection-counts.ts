/** Counts the driver's connections by its events (CMAP), the only source of these numbers. */
import type { MongoClient } from 'mongodb';
import type { StoreReadings } from '../../base/store-module.ts';

/** What each event adds to the number of connections, of those in use, and of operations that wait for one. */
const changes = {
  connectionCreated: [1, 0, 0],
  connectionClosed: [-1, 0, 0],
  connectionCheckOutStarted: [0, 0, 1],
  connectionCheckedOut: [0, 1, -1],
  connectionCheckOutFailed: [0, 0, -1],
  connectionCheckedIn: [0, -1, 0],
} as const;

/** To be called before the client connects. @returns the current counts, over all members */
export function watchConnections(client: MongoClient): () => StoreReadings {
  let [connections, connectionsInUse, waitingForConnection] = [0, 0, 0];
  for (const [event, [all, inUse, waiting]] of Object.entries(changes))
    client.on(event as keyof typeof changes, () => {
      connections += all;
      connectionsInUse += inUse;
      waitingForConnection += waiting;
    });
  return () => ({ connections, connectionsInUse, waitingForConnection });
}
