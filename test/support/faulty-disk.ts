/** A disk that fails: a shim before the system's calls, compiled when it is first needed. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Context } from 'mocha';
import { needed } from '../outside/tools.ts';
import { aDataFolder, type Environment } from './process.ts';

interface Fault {
  /** How the names of the files end that it befalls. */
  readonly file: string;
  /** The system calls that fail, such as `pwrite fsync`. */
  readonly calls: string;
  /** KILL ends the service in the midst of the call. */
  readonly error?: 'EIO' | 'ENOSPC' | 'KILL';
  /** In bytes: only writes that make a file longer than this fail. */
  readonly from?: number;
  /** The first of these calls alone fails; the disk is well again then. */
  readonly isOnce?: boolean;
}

interface FaultyDisk {
  /** For the service that it shall befall. */
  readonly env: Environment;
  fail(): void;
  mend(): void;
}

/** Well at first. Its folder goes with `discardProcesses`. */
export function aFaultyDisk(
  context: Context,
  { file, calls, error = 'EIO', from, isOnce = false }: Fault,
): FaultyDisk {
  const folder = aDataFolder();
  const shim = join(folder, 'faulty-disk.so');
  const source = resolve('test/support/faulty-disk.c');
  execFileSync(needed(context, 'gcc'), ['-shared', '-fPIC', '-o', shim, source, '-ldl']);
  const onOff = join(folder, 'on');
  return {
    env: {
      LD_PRELOAD: shim,
      FAULTY_DISK_SWITCH: onOff,
      FAULTY_DISK_FILE: file,
      FAULTY_DISK_CALLS: calls,
      FAULTY_DISK_ERROR: error,
      ...(from === undefined ? {} : { FAULTY_DISK_FROM: String(from) }),
      ...(isOnce && { FAULTY_DISK_ONCE: '1' }),
    },
    fail: () => writeFileSync(onOff, ''),
    mend: () => rmSync(onOff),
  };
}
