/** `email address` of `Email address`, but `ID` of `ID` */
export const inSentence = (label: string): string =>
  /^[A-Z][A-Z\d]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
