/** The two XML namespaces that the service speaks, as XML Schema. */
import { User, UserInput } from '../../../domain/user.ts';
import { requiredOf } from '../../contracts/names.ts';
import { xsd } from '../../contracts/xsd.ts';
import { ProblemDocument, problemNaming } from '../../http/problems.ts';
import { userNaming } from '../users/naming.ts';

/** `/schemas/user.xsd` */
export const userXsd = (): string =>
  xsd({
    schema: User,
    naming: userNaming,
    required: requiredOf(User).filter((name) => requiredOf(UserInput).includes(name)),
    list: true,
    about: [
      'The documents that the service writes, and that a client does best to send. What the service writes always has id, active and meta; a client may leave them out.',
      'The service accepts more than this: a document without a namespace, an empty element or one with xsi:nil="true", which mean that the value is absent, an id in capitals, and in a PATCH a user of which only what changes is there. None of them validates here.',
      'It also keeps to rules that XML Schema 1.0 cannot say: what RFC 8265 lets stand in a userName, one primary item in a list at most, no element that holds nothing, and the size of the whole.',
      "Lengths count characters, as XML Schema says. Java's validator counts one beyond U+FFFF as two, unless its system property com.sun.org.apache.xerces.internal.impl.dv.xs.useCodePointCountForStringLength is true.",
      'Further optional elements may be added without another namespace: ignore what you do not know, and do not validate what you receive against an old copy of this file.',
    ],
  });

/** `/schemas/problem.xsd` */
export const problemXsd = (): string =>
  xsd({
    schema: ProblemDocument,
    naming: problemNaming,
    required: requiredOf(ProblemDocument),
    list: false,
    about: [
      'Problem details (RFC 9457, appendix B) as the service writes them. Further optional elements may be added: ignore what you do not know.',
    ],
  });
