/** Divides a document into lines to indent, without changing a character: joined, they are the document. */
export interface Line {
  readonly depth: number;
  readonly text: string;
}

/** @param ends lines that close an earlier line @param begins lines that contain others */
function split(text: string, lines: RegExp, ends: RegExp, begins: RegExp): readonly Line[] {
  let depth = 0;
  return [...text.matchAll(lines)].map(([line]) => {
    if (ends.test(line)) depth--;
    const placed = { depth, text: line };
    if (begins.test(line)) depth++;
    return placed;
  });
}

/** Closing brackets; or a name and a value, or either of them, up to a comma or an opening bracket. */
const jsonLines = /[\]}],?|(?:"(?:[^"\\]|\\.)*"|[^"[\]{},])+[[{,]?|[[{,]/g;

export const splitJson = (text: string): readonly Line[] => split(text, jsonLines, /^[\]}]/, /[[{]$/);

/** Elements that have a text and no other element, tags, and the texts between them. */
const xmlLines = /<[^?!/](?:[^>]*[^/>])?>[^<]+<\/[^>]*>|<[^>]*>|[^<]+/g;

export const splitXml = (text: string): readonly Line[] =>
  split(text, xmlLines, /^<\//, /^<[^?!/](?:[^>]*[^/>])?>$/);

export const splitLines = (text: string): readonly Line[] =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => ({ depth: 0, text: line }));
