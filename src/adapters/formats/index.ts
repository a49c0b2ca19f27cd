/** The registry of formats, in order of preference where nothing else decides. */
import type { Format } from './core/format.ts';
import { json } from './json/json.ts';
import { xml } from './xml/xml.ts';

export const formats: readonly [Format, ...Format[]] = [json, xml];

/** The first format when none has that name. */
export const findFormat = (wanted: string): Format =>
  formats.find(({ name }) => name === wanted) ?? formats[0];
