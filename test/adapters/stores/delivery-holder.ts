/** A process that takes the lease of webhooks beside the file, tells its number, and keeps it until it is killed. */
import { sqliteDeliveries } from '../../../src/adapters/stores/sqlite/deliveries.ts';

const store = sqliteDeliveries(process.argv[2] ?? '');
process.send?.(await store.hold());
setInterval(() => store.hold(), 1_000);
