/** Files that the page writes: straight to the disk where the browser can, or else collected by the browser and downloaded. */

import type { FormatName } from 'user-files/types';

/** Characters that are collected before the browser gets them as a Blob, which it may keep on disk. */
const pieceLength = 1024 * 1024;

export const contentTypes: Readonly<Record<FormatName, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/jsonl',
  xml: 'application/xml',
};

/** A file that is collected by the browser. */
export class CollectedFile {
  readonly #type: string;
  readonly #pieces: Blob[] = [];
  #texts: string[] = [];
  #length = 0;

  constructor(type: string) {
    this.#type = type;
  }

  get isEmpty(): boolean {
    return this.#length + this.#pieces.length === 0;
  }

  add(text: string): void {
    this.#texts.push(text);
    this.#length += text.length;
    if (this.#length < pieceLength) return;
    this.#pieces.push(new Blob(this.#texts));
    [this.#texts, this.#length] = [[], 0];
  }

  download(name: string): void {
    const url = URL.createObjectURL(new Blob([...this.#pieces, ...this.#texts], { type: this.#type }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    // The download has begun by then.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }
}

export interface Sink {
  write(text: string): Promise<void>;
  /** The file is complete. */
  finish(): Promise<void>;
  /** Leaves no file. */
  discard(): Promise<void>;
}

/** The File System Access API, which not every browser has. */
interface WithPicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<FileSystemFileHandle>;
}

/** To be called on a click, since a browser may ask where to. @returns undefined when the person has chosen no place */
export async function openSink(name: string, type: string): Promise<Sink | undefined> {
  const { showSaveFilePicker } = globalThis as WithPicker;
  if (showSaveFilePicker === undefined) {
    const file = new CollectedFile(type);
    return {
      write: async (text) => file.add(text),
      finish: async () => file.download(name),
      discard: async () => undefined,
    };
  }
  try {
    const handle = await showSaveFilePicker.call(globalThis, { suggestedName: name });
    const stream = await handle.createWritable();
    return {
      write: (text) => stream.write(text),
      finish: () => stream.close(),
      discard: () => stream.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

/** `users-2026-11-27.csv` @param ending with its dot */
export const nameFile = (plural: string, ending: string): string =>
  `${plural}-${new Date().toISOString().slice(0, 10)}${ending}`;
