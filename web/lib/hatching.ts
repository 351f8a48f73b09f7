import { definePreference } from './preference.ts';

/** Whether category colours have stripes as well, on this browser. */
export const hatching = definePreference('hatching', ['off', 'on']);

/** Marks the document; the stripes are in `styles/categories.css`. */
export function followHatching(): void {
  const apply = (): void => {
    document.documentElement.dataset['hatching'] = hatching.get();
  };
  hatching.subscribe(apply);
  apply();
}
