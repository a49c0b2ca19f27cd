/** Users as they are printed in XML, and then damaged as bytes: most are no XML any more, some still are. */
import fc from 'fast-check';
import { xml } from '../../src/adapters/formats/xml/xml.ts';
import { User } from '../../src/domain/kinds/user/user.ts';
import { anyUser } from '../support/users.ts';

const codec = xml.codec<User>(User, { one: 'user', many: 'users', namespace: 'urn:user-management:1' });
const printed: fc.Arbitrary<Buffer> = anyUser().map((user) => Buffer.from(codec.print(user)));

/** Pieces of markup, one to a line, that are right in some places and wrong in others. */
const markup = `
<
>
&
"
'
=
/
/>
</
<!
<?
?>
<!--
-->
--
<![CDATA[
]]>
]]
&amp;
&#0;
&#x1F;
&#xD800;
&#xFFFE;
&#x10FFFF;
&#x110000;
&#;
&#x;
&lt
&nbsp;
<a/>
<a b="1"/>
<a b="1" b="2"/>
<a xmlns:c="u" xmlns:d="u" c:b="1" d:b="2"/>
<a b=1/>
<a b/>
<a:b/>
<:a/>
<a:/>
<a:b:c/>
<1/>
<é/>
<?xml version="1.0"?>
<?xml?>
<?XML a?>
<?a?>
<?a:b?>
<!-- a -- b -->
<!---->
<!--->
<!DOCTYPE a>
 xmlns:a="u"
 xmlns:a=""
 xmlns=""
 xmlns:xml="u"
 xmlns:xmlns="u"
 a="<"
 xml:lang="en"
 xml:space="x"
:
.
·`
  .split('\n')
  .slice(1);
const characters = [0, 1, 9, 10, 13, 32, 0x7f, 0x85, 0xa0, 0x2028, 0xfeff, 0xfffe].map((code) =>
  String.fromCharCode(code),
);

const piece: fc.Arbitrary<Buffer> = fc.oneof(
  fc.constantFrom(...markup, ...characters).map((text) => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
);
/** A place in a document, as a part of its length. */
const place = fc.noBias(fc.nat(9999)).map((part) => part / 10_000);

type Damage = (document: Buffer) => Buffer;
const inserted = (document: Buffer, at: number, bytes: Buffer): Buffer =>
  Buffer.concat([document.subarray(0, at), bytes, document.subarray(at)]);
const at = (part: number, document: Buffer): number => Math.floor(part * document.length);

const flip = fc.tuple(place, fc.integer({ min: 0, max: 7 })).map(([part, bit]): Damage => {
  return (document) => {
    const flipped = Buffer.from(document);
    flipped[at(part, flipped)] = (flipped[at(part, flipped)] ?? 0) ^ (1 << bit);
    return flipped;
  };
});
const remove = fc.tuple(place, fc.integer({ min: 1, max: 20 })).map(([part, length]): Damage => {
  return (document) =>
    Buffer.concat([document.subarray(0, at(part, document)), document.subarray(at(part, document) + length)]);
});
const repeat = fc.tuple(place, fc.integer({ min: 1, max: 60 }), place).map(([from, length, to]): Damage => {
  return (document) => {
    const start = at(from, document);
    return inserted(document, at(to, document), document.subarray(start, start + length));
  };
});
const insert = fc.tuple(place, piece).map(([part, bytes]): Damage => {
  return (document) => inserted(document, at(part, document), bytes);
});
/** After a tag, so that more of them stay well-formed. */
const insertAfterTag = fc.tuple(place, piece).map(([part, bytes]): Damage => {
  return (document) => inserted(document, document.indexOf('>', at(part, document)) + 1, bytes);
});
const damage = fc.oneof(flip, remove, repeat, insert, insertAfterTag);

/** Damaged in one or two places. */
export const damaged = (documents: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(documents, fc.array(damage, { minLength: 1, maxLength: 2 }))
    .map(([document, damages]) => damages.reduce((bytes, change) => change(bytes), document));

export const damagedXml: fc.Arbitrary<Buffer> = damaged(printed);
