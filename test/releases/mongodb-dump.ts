/** All collections of a database with their indexes, as MongoDB's Extended JSON. */
import { BSON, type Db, type Document, type IndexDescription } from 'mongodb';

interface DumpedCollection {
  readonly name: string;
  readonly indexes: readonly (IndexDescription & { readonly v?: unknown })[];
  readonly documents: readonly Document[];
}

type Dump = readonly DumpedCollection[];

export async function dumpOf(db: Db): Promise<Dump> {
  const collections = await db.listCollections().toArray();
  const dumped = collections.map(async ({ name }) => ({
    name,
    indexes: await db.collection(name).indexes(),
    documents: await db.collection(name).find().sort({ _id: 1 }).toArray(),
  }));
  return (await Promise.all(dumped)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

export const printDump = (dump: Dump): string => BSON.EJSON.stringify(dump, { relaxed: false });
export const parseDump = (text: string): Dump => BSON.EJSON.parse(text, { relaxed: false }) as Dump;

/** Into an empty database. */
export async function restoreDump(db: Db, dump: Dump): Promise<void> {
  for (const { name, indexes, documents } of dump) {
    const collection = await db.createCollection(name);
    const more = indexes.filter((index) => index.name !== '_id_').map(({ v: _, ...index }) => index);
    if (more.length > 0) await collection.createIndexes(more as IndexDescription[]);
    if (documents.length > 0) await collection.insertMany([...documents]);
  }
}
