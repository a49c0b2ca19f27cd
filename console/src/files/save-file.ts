/** Saves files: directly to the disk if the browser can, otherwise as a download. */

import type { FormatName } from 'user-files/types';

export const contentTypes: Readonly<Record<FormatName, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/jsonl',
  xml: 'application/xml',
};

export function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The File System Access API, which not every browser has. */
interface WithPicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<FileSystemFileHandle>;
}

/**
 * Call it on a click, since the browser may ask for a place. When aborted, it leaves no file.
 * @throws DOMException AbortError when the person has chosen no place
 */
export async function openFile(name: string, type: string): Promise<WritableStreamDefaultWriter<string>> {
  const { showSaveFilePicker } = globalThis as WithPicker;
  if (showSaveFilePicker !== undefined) {
    const handle = await showSaveFilePicker.call(globalThis, { suggestedName: name });
    return (await handle.createWritable()).getWriter();
  }
  let file = new Blob([], { type });
  const stream = new WritableStream<string>({
    write(text) {
      // The browser may keep a blob on disk.
      file = new Blob([file, text], { type });
    },
    close: () => download(file, name),
  });
  return stream.getWriter();
}

/** `users-2026-11-27.csv` @param ending with its dot */
export const nameFile = (plural: string, ending: string): string =>
  `${plural}-${new Date().toISOString().slice(0, 10)}${ending}`;
