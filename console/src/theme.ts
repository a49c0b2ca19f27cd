/** Light or dark, if the person has chosen; else as the system has it. Stays in the browser. */
const storageKey = 'console.theme';

export const themes = ['', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

export const chosenTheme = (): Theme => themes.find((one) => one === localStorage.getItem(storageKey)) ?? '';

/** Without a choice, the style sheet decides. */
export function showTheme(theme = chosenTheme()): void {
  document.documentElement.style.colorScheme = theme;
}

export function chooseTheme(theme: Theme): void {
  if (theme === '') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, theme);
  showTheme(theme);
}
