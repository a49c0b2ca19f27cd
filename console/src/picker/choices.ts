/** Languages, countries and time zones as the browser knows them, with their names in the language of the page. */
import { fold, locale } from '../language.ts';
import { texts } from '../texts/texts.ts';

export type ChoiceList = 'language' | 'country' | 'timeZone';

/** Codes that people find by name, by the path of the field. */
const lists: Readonly<Record<string, ChoiceList>> = {
  preferredLanguage: 'language',
  locale: 'language',
  timezone: 'timeZone',
  'addresses.country': 'country',
};

/** @param path such as `addresses.country` @returns undefined for fields that accept any text */
export const choiceListOf = (path: string): ChoiceList | undefined => lists[path];

export interface Option {
  readonly value: string;
  readonly label: string;
  /** A second name or code; the search finds it, too. */
  readonly note: string;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

/** Languages with variants by country that are usual in software. */
const variants =
  'de-AT de-CH de-DE en-AU en-CA en-GB en-IE en-IN en-NZ en-US en-ZA es-AR es-CO es-ES es-MX fr-BE fr-CA fr-CH fr-FR it-CH it-IT nl-BE nl-NL pt-BR pt-PT zh-CN zh-HK zh-TW'.split(
    ' ',
  );

/** Codes that have a name but are not countries. */
const notCountries = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'];

const namesOf = (type: 'language' | 'region'): Intl.DisplayNames =>
  new Intl.DisplayNames(locale, { type, fallback: 'none' });

const languageNames = namesOf('language');
const countryNames = namesOf('region');

/** Newer codes that replace older ones. */
const isCurrentLanguage = (code: string): boolean => new Intl.Locale(code).language === code;
const isCurrentCountry = (code: string): boolean =>
  !notCountries.includes(code) && new Intl.Locale('und', { region: code }).region === code;

/** @param names undefined for codes without a meaning */
const namedOptions = (codes: readonly string[], names: Intl.DisplayNames): readonly Option[] =>
  codes.flatMap((value) => {
    const label = names.of(value);
    return label === undefined ? [] : [{ value, label, note: value }];
  });

const zoneName = (timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

const makers: Readonly<Record<ChoiceList, () => readonly Option[]>> = {
  language: () => namedOptions([...pairs.filter(isCurrentLanguage), ...variants], languageNames),
  country: () => namedOptions(pairs.map((code) => code.toUpperCase()).filter(isCurrentCountry), countryNames),
  timeZone: () =>
    ['Etc/UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({
      value,
      label: value.replaceAll('_', ' '),
      note: zoneName(value),
    })),
};

const made = new Map<ChoiceList, readonly Option[]>();

/** In the order of their names. Made at first use, since the time zones take tens of milliseconds. */
function optionsOf(list: ChoiceList): readonly Option[] {
  const known = made.get(list);
  if (known !== undefined) return known;
  const { compare } = new Intl.Collator(locale);
  const options = makers[list]().toSorted((one, other) => compare(one.label, other.label));
  made.set(list, options);
  return options;
}

/** `German (de)`, or the value if it has no name. */
export function describeChoice(list: ChoiceList, value: string): string {
  const isCode = /^[A-Za-z]{2,3}(-[A-Za-z\d]+)*$/.test(value);
  if (list === 'timeZone' || !isCode || (list === 'country' && value.length !== 2)) return value;
  const names = list === 'language' ? languageNames : countryNames;
  const name = namedOptions([list === 'country' ? value.toUpperCase() : value], names)[0]?.label;
  return name === undefined ? value : `${name} (${value})`;
}

/** Whether the browser has a name for it. */
function isKnown(list: ChoiceList, value: string): boolean {
  if (list !== 'timeZone') return describeChoice(list, value) !== value;
  try {
    return new Intl.DateTimeFormat(locale, { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}

/** Options that begin with the text come first. */
function findOptions(list: ChoiceList, text: string): readonly Option[] {
  const typed = fold(text);
  const ranked = optionsOf(list).map((option) => {
    const texts = [option.label, option.value, option.note].map(fold);
    if (texts.some((one) => one.startsWith(typed))) return { option, rank: 0 };
    return { option, rank: texts.some((one) => one.includes(typed)) ? 1 : 2 };
  });
  return [0, 1].flatMap((rank) => ranked.filter((one) => one.rank === rank).map(({ option }) => option));
}

/** The value of the option that the text names, or the text itself. */
function toValue(list: ChoiceList, text: string): string {
  const typed = fold(text);
  const named = optionsOf(list).find(({ value, label }) => fold(label) === typed || fold(value) === typed);
  return named?.value ?? text.trim();
}

/** Properties of a combobox for a code that is found by its name. Other codes can be typed: the browser may not know all that the service accepts. */
export const choosing = (list: ChoiceList, value: string, onChange: (value: string) => void) => ({
  text: describeChoice(list, value),
  note: value === '' || isKnown(list, value) ? '' : texts.form.unknownCode,
  find: (typed: string) => findOptions(list, typed),
  onType: (typed: string) => onChange(toValue(list, typed)),
  onPick: (option: Option) => onChange(option.value),
});
