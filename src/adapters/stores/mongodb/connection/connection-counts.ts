/** Counts the driver's connections by its events (CMAP), the only source of these numbers. */
import type { MongoClient } from 'mongodb';
import type { StoreReadings } from '../../base/store-module.ts';

/** To be called before the client connects. @returns the current counts, over all members */
export function watchConnections(client: MongoClient): () => StoreReadings {
  let connections = 0;
  let connectionsInUse = 0;
  let waitingForConnection = 0;
  client.on('connectionCreated', () => {
    connections += 1;
  });
  client.on('connectionClosed', () => {
    connections -= 1;
  });
  client.on('connectionCheckOutStarted', () => {
    waitingForConnection += 1;
  });
  client.on('connectionCheckedOut', () => {
    waitingForConnection -= 1;
    connectionsInUse += 1;
  });
  client.on('connectionCheckOutFailed', () => {
    waitingForConnection -= 1;
  });
  client.on('connectionCheckedIn', () => {
    connectionsInUse -= 1;
  });
  return () => ({ connections, connectionsInUse, waitingForConnection });
}
