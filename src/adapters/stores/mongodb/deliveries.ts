/**
 * The state of webhooks, in the collection `webhooks`: a document for each row, and one for the lease, which ends by the clock of the server. It uses
 * no transactions: one that a killed process leaves open would hold up its successor.
 */
import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation } from 'mongodb';
import type { DeliveryRow, DeliveryStore } from '../port/delivery-store.ts';
import { type MongoOptions, openClient } from './connection/client.ts';
import { fromPrimary } from './connection/database.ts';
import { duplicateKey, hasCode } from './connection/driver-errors.ts';

/** In ms. A successor asks each second, and needs some for an election. */
const usualLeaseTime = 10_000;

interface Document extends Partial<DeliveryRow> {
  readonly _id: string;
  /** In a row: the number of the holder that wrote it, or that found it when it took over. In the lease: its own number. */
  readonly fence: number;
  /** The holder of the lease. */
  readonly holder?: string;
}

export function mongoDeliveries(
  options: Omit<MongoOptions, 'onProblem'>,
  leaseTime: number = usualLeaseTime,
): DeliveryStore {
  const { client, database } = openClient({ ...options, maxPoolSize: 2, onProblem: () => undefined });
  const documents = client.db(database).collection<Document>('webhooks', fromPrimary);
  const holder = randomUUID();
  let stamped: number | undefined;

  async function takeLease(): Promise<number | undefined> {
    const isOurs = { $eq: ['$holder', holder] };
    const isFree = { $or: [isOurs, { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] }] };
    const ifFree = (value: unknown, otherwise: string) => ({ $cond: [isFree, value, otherwise] });
    const next = { $add: [{ $ifNull: ['$fence', 0] }, 1] };
    const lease = {
      fence: { $cond: [isOurs, '$fence', ifFree(next, '$fence')] },
      holder: ifFree(holder, '$holder'),
      until: ifFree({ $add: ['$$NOW', leaseTime] }, '$until'),
    };
    try {
      const found = await documents.findOneAndUpdate({ _id: 'lease' }, [{ $set: lease }], {
        ...{ upsert: true, returnDocument: 'after' },
      });
      return found?.holder === holder ? found.fence : undefined;
    } catch (cause) {
      if (hasCode(cause, duplicateKey)) return undefined;
      throw cause;
    }
  }

  const operationsOf = (rows: Parameters<DeliveryStore['write']>[0], fence = 0) =>
    rows.map(({ of, receiver, key, value }): AnyBulkWriteOperation<Document> => {
      const filter = { _id: `${of} ${receiver} ${key}`, ...(fence > 0 && { fence: { $lte: fence } }) };
      return value === undefined
        ? { deleteOne: { filter } }
        : { replaceOne: { filter, replacement: { of, receiver, key, value, fence }, upsert: true } };
    });

  return {
    leaseTime,
    async hold() {
      const fence = await takeLease();
      // From then on what the holder before has not written yet fails.
      if (fence !== undefined && fence !== stamped)
        await documents.updateMany({ of: { $exists: true }, fence: { $lt: fence } }, { $set: { fence } });
      stamped = fence;
      return fence;
    },
    read: async (of, receiver) =>
      await documents
        .find<DeliveryRow>({ of, ...(receiver !== undefined && { receiver }) })
        .project<DeliveryRow>({ _id: 0, of: 1, receiver: 1, key: 1, value: 1 })
        .sort({ _id: 1 })
        .toArray(),
    async write(rows, fence) {
      if (fence !== undefined && (await documents.findOne({ _id: 'lease', fence })) === null) return false;
      try {
        if (rows.length > 0) await documents.bulkWrite(operationsOf(rows, fence));
        return true;
      } catch (cause) {
        if (hasCode(cause, duplicateKey) && fence !== undefined) return false;
        throw cause;
      }
    },
    async close() {
      const free = { $set: { until: new Date(0) } };
      await documents.updateOne({ _id: 'lease', holder }, free).catch(() => undefined);
      await client.close();
    },
  };
}
