/** better-sqlite3 is compiled for one Node and platform: after an upgrade of Node, or without its install script, it doesn't load. */
import Database from 'better-sqlite3';

/** To be called before anything is made of a file. @throws Error that says what an operator can do */
export function assertDriverLoads(): void {
  try {
    new Database(':memory:').close();
  } catch (cause) {
    // Its own message lists thirteen places where it has looked.
    throw new Error(
      `better-sqlite3 has no binary for this Node (${process.version}, ${process.platform}-${process.arch}): install again with it, where g++, make and python3 are and npm may run install scripts`,
      { cause },
    );
  }
}
