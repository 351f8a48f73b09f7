import { definePreference } from './preference.ts';

/** `first-paint.js` reads the same name before anything else runs. */
export const theme = definePreference('theme', ['system', 'light', 'dark']);

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** Keeps the page in the chosen theme, whichever tab or system setting changes it. */
export function followTheme(): void {
  const apply = (): void => {
    const choice = theme.get();
    const isDark = choice === 'dark' || (choice === 'system' && systemIsDark.matches);
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  };
  theme.subscribe(apply);
  systemIsDark.addEventListener('change', apply);
  apply();
}
