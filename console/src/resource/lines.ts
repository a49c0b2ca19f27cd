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

/** Tags, and the texts between them. */
const xmlTokens = /<[^>]*>|[^<]+/g;

/** An element that has a text and no other element is one line. */
export function splitXml(text: string): readonly Line[] {
  const lines: Line[] = [];
  const tokens = [...text.matchAll(xmlTokens)].map(([token]) => token);
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const isEnd = token.startsWith('</');
    if (isEnd) depth--;
    if (isEnd || !token.startsWith('<') || /^<[?!]|\/>$/.test(token)) {
      lines.push({ depth, text: token });
      continue;
    }
    const whole = tokens.slice(at, at + 3);
    if (whole[2]?.startsWith('</') && !whole[1]?.startsWith('<')) {
      lines.push({ depth, text: whole.join('') });
      at += 2;
      continue;
    }
    lines.push({ depth, text: token });
    depth++;
  }
  return lines;
}

export const splitLines = (text: string): readonly Line[] =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => ({ depth: 0, text: line }));
