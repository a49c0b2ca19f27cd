/** The formats there are, in order of preference where nothing else decides. To add one: its file, and its name here. */
import type { Format } from './format.ts';
import { json } from './json.ts';
import { xml } from './xml.ts';

export const formats: readonly [Format, ...Format[]] = [json, xml];

/** The format of that name; the first where there is none. */
export const formatNamed = (wanted: string): Format =>
  formats.find(({ name }) => name === wanted) ?? formats[0];
