/** Users in XML as clients of all kinds write them: with prefixes, declarations, line ends and references of their own. */
import fc from 'fast-check';
import { anyUser } from '../../support/users.ts';
import { codec } from './xml-documents.ts';

type Rewrite = (text: string) => string;

const namespace = 'urn:user-management:1';
const instances = 'http://www.w3.org/2001/XMLSchema-instance';
const schemas = 'http://www.w3.org/2001/XMLSchema';

const unchanged: Rewrite = (text) => text;
const rewriteText = (rewrite: (text: string) => string): Rewrite => {
  return (text) => text.replace(/>([^<]+)</g, (_, inside: string) => `>${rewrite(inside)}<`);
};

/** In front of every tag, the places in texts left out. */
const indented = fc.constantFrom('\n', '\r\n', '\r', '\t', ' ', '\n  ', '\r\n\t').map(
  (gap): Rewrite =>
    (text) =>
      text.replaceAll('><', `>${gap}<`),
);

/** Of the characters of texts. */
const inReferences = fc
  .tuple(fc.constantFrom(/[aeiou]/g, /[^&;\w]/gu, /[1-9]/g), fc.constantFrom('&#', '&#x', '&#0', '&#x00'))
  .map(([which, start]): Rewrite => {
    const radix = start.includes('x') ? 16 : 10;
    const refer = (one: string) => `${start}${(one.codePointAt(0) ?? 0).toString(radix)};`;
    return rewriteText((text) => (text.includes('&') ? text : text.replace(which, refer)));
  });

const withLineEnds = fc
  .constantFrom('\r\n', '\r', '\n', '\r\r\n', ' \n')
  .map((end): Rewrite => rewriteText((text) => text.replace(' ', end)));

const inOneTag: Rewrite = (text) => text.replace(/<(\w+)><\/\1>/g, '<$1/>');
const emptied = fc
  .constantFrom('title', 'externalId', 'displayName', 'emails', 'name', 'attributes', 'roles')
  .map((name): Rewrite => {
    const element = new RegExp(`<${name}>.*?</${name}>`, 's');
    return (text) => text.replace(element, `<${name}></${name}>`);
  });

/** They say that there is no value. */
const nil = fc
  .tuple(
    fc.constantFrom('title', 'externalId', 'userType', 'active', 'enterprise', 'primary', 'phoneNumbers'),
    fc.constantFrom('xsi', 'i'),
    fc.constantFrom('"true"', "'true'", '"1"', '" true "', '"false"', '"true" xsi:type="a"'),
    fc.constantFrom('/>', ' />', '></@>'),
  )
  .map(([name, prefix, value, end]): Rewrite => {
    const element = new RegExp(`<${name}>.*?</${name}>`, 's');
    const written = `<${name} ${prefix}:nil=${value}${end.replace('@', name)}`;
    return (text) => text.replace(element, written).replace(/<users? /, `$&xmlns:${prefix}="${instances}" `);
  });

const declaring = fc
  .constantFrom(
    ` xmlns:xsi="${instances}" xmlns:xsd="${schemas}">`,
    ` xmlns:xsi='${instances}'\r\n  xsi:schemaLocation="${namespace} user.xsd"\n>`,
    ` xmlns:unknown="urn:b">`,
    ' version="2">',
    ' >',
  )
  .map(
    (end): Rewrite =>
      (text) =>
        text.replace(/(<user[^>]*)>/, (_, start: string) => start + end),
  );

const prefixed = fc.constantFrom('u', 'ns0', 'é', '__proto__', 'xmlUser').map(
  (prefix): Rewrite =>
    (text) =>
      text.replace(/<(\/?)(?=\w)/g, `<$1${prefix}:`).replace(' xmlns=', ` xmlns:${prefix}=`),
);
const withoutNamespace: Rewrite = (text) => text.replace(` xmlns="${namespace}"`, '');

const headed = fc
  .constantFrom(
    '',
    '\n',
    '<?xml version="1.0"?>',
    "<?xml version='1.0' encoding='utf-8'?>\r\n",
    '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>\n<!-- by hand -->',
    '<?xml  version = "1.0"?>',
  )
  .map(
    (head): Rewrite =>
      (text) =>
        head + text.replace(/^<\?.*?\?>/, ''),
  );
const ended = fc.constantFrom('\n', '\r\n', ' \t', '<!-- end -->').map(
  (end): Rewrite =>
    (text) =>
      text + end,
);

/** Half of the time, so that most are written in one or two ways of their own. */
const sometimes = (rewrite: fc.Arbitrary<Rewrite>): fc.Arbitrary<Rewrite> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(unchanged) }, rewrite);

const rewrites = fc.tuple(
  sometimes(emptied),
  sometimes(fc.constant(inOneTag)),
  sometimes(nil),
  sometimes(fc.oneof(inReferences, withLineEnds)),
  sometimes(declaring),
  sometimes(fc.oneof(prefixed, fc.constant(withoutNamespace))),
  sometimes(indented),
  sometimes(headed),
  sometimes(ended),
);

const sent = (printed: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(printed, rewrites).map(([text, all]) => all.reduce((now, rewrite) => rewrite(now), text));

export const sentUser: fc.Arbitrary<string> = sent(anyUser().map(codec.print));

const { open, between, close, item } = codec.list;
export const sentList: fc.Arbitrary<string> = sent(
  fc
    .array(anyUser(), { minLength: 1, maxLength: 4 })
    .map((users) => open() + users.map(item).join(between) + close),
);

type Element = readonly [text: string, name: string];

const elementsIn = (text: string): readonly Element[] =>
  [...text.matchAll(/<([\w:]+)[^<>]*>(?:[^<]*)<\/\1>/g)].map(([all, name = '']) => [all, name]);
const inserted = fc.constantFrom(
  '&#65;',
  '&amp;',
  '&',
  ' ',
  '\r',
  '\n',
  ']',
  ']]>',
  '<!---->',
  '<a/>',
  '<title/>',
  'x',
  '\u0085',
  '\uFEFF',
  '&#xD;',
  '&#0;',
  '>',
  '"',
  '/',
);
const inTag = fc.constantFrom(
  ' ',
  '\n',
  '/',
  ' name="x"',
  ' xsi:nil="true"',
  ' i:nil="1"',
  ` xmlns="${namespace}"`,
  ' xmlns=""',
  ' xmlns:a="b"',
  ' a="b"',
  ':',
  'a',
);
const change = fc.tuple(
  fc.nat(),
  fc.oneof(
    inserted.map(
      (more) =>
        ([all]: Element) =>
          all.replace('>', `>${more}`),
    ),
    inserted.map(
      (more) =>
        ([all]: Element) =>
          all + more,
    ),
    inTag.map(
      (more) =>
        ([all]: Element) =>
          all.replace('>', `${more}>`),
    ),
    inTag.map(
      (more) =>
        ([all]: Element) =>
          all.replace(/>$/, `${more}>`),
    ),
    fc.constant(([all]: Element) => all + all),
    fc.constant(() => ''),
    fc.constant(([all, name]: Element) => all.replace(`</${name}>`, '</title>')),
    fc.constant(([, name]: Element) => `<${name}/>`),
    fc.constant(([, name]: Element) => `<${name}><a>b</a></${name}>`),
  ),
);

/** With one or two changes to the innermost elements, right and wrong ones. */
export const changed = (sent: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(sent, fc.array(change, { minLength: 1, maxLength: 2 })).map(([document, changes]) =>
    changes.reduce((text, [which, rewrite]) => {
      const elements = elementsIn(text);
      const element = elements[which % elements.length];
      return element === undefined ? text : text.replace(element[0], () => rewrite(element));
    }, document),
  );
