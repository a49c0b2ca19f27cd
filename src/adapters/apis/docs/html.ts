/** The pages for people: what all of them are made of. */

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export const html = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => references[character] ?? '');

export const pageType = 'text/html; charset=utf-8';

/** @param head more of it, and `body`: as HTML */
export const page = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
