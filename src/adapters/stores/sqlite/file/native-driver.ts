/** better-sqlite3 brings a binary for each platform that it supports; none loads elsewhere, or on a Node that is too old. */
import Database from 'better-sqlite3';
import { assertSupportedNode } from '../../../../config/base/environment.ts';
import { messageOf } from '../../../system/errors.ts';

/** To be called before a database is opened. @throws Error that says what an operator can do */
export function assertDriverLoads(): void {
  assertSupportedNode();
  try {
    new Database(':memory:').close();
  } catch (cause) {
    const [reason = ''] = messageOf(cause).split('\n');
    throw new Error(
      `better-sqlite3 does not load on this platform (${process.platform}-${process.arch}): ${reason}; it supports Linux, macOS and Windows on x64 and arm64: on one of these, install the packages again, rather than copy node_modules from another platform`,
      { cause },
    );
  }
}
