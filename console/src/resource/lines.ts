/** Divides a document into lines to be indented, without changing a character of it: together they are what it was. */
export interface Line {
  readonly depth: number;
  readonly text: string;
}

/** Strings, brackets with a following comma, commas, and the text between them. */
const jsonTokens = /"(?:[^"\\]|\\.)*"|[[{]|[\]}],?|,|[^"[\]{},]+/g;

export function splitJson(text: string): readonly Line[] {
  const lines: Line[] = [];
  let depth = 0;
  let line = '';
  const end = () => {
    if (line !== '') lines.push({ depth, text: line });
    line = '';
  };
  for (const [token] of text.matchAll(jsonTokens)) {
    if (/^[\]}]/.test(token)) {
      end();
      depth--;
    }
    line += token;
    if (!/^[[{]$|,$|^[\]}]/.test(token) || token.startsWith('"')) continue;
    end();
    if (/^[[{]$/.test(token)) depth++;
  }
  end();
  return lines;
}

/** Elements that have a text and no other element, tags, and the texts between them. */
const xmlTokens = /<[^?!/](?:[^>]*[^/>])?>[^<]+<\/[^>]*>|<[^>]*>|[^<]+/g;

export function splitXml(text: string): readonly Line[] {
  let depth = 0;
  return [...text.matchAll(xmlTokens)].map(([token]) => {
    if (token.startsWith('</')) depth--;
    const line = { depth, text: token };
    if (/^<[^?!/](?:[^>]*[^/>])?>$/.test(token)) depth++;
    return line;
  });
}

export const splitLines = (text: string): readonly Line[] =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => ({ depth: 0, text: line }));
