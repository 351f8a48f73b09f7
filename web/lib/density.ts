import { definePreference } from './preference.ts';

/** How close together the rows of lists are, on this browser. */
export const density = definePreference('density', ['comfortable', 'compact']);
export type Density = ReturnType<typeof density.get>;
