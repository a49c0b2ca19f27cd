/** Replaces `is-unsafe` in a page: fast-xml-parser asks it about entities of a DOCTYPE only, and a file with a DOCTYPE is refused before. */
export const isUnsafe = (): boolean => true;
export const [HTML, XML] = ['', ''];
