import type { Migration } from '../migrate.ts';

/** Fuzzy search looks only at texts with an uncommon trigram of the term, and at those too short to need one. */
export const shortTexts: Migration = {
  version: 15,
  name: 'short texts',
  statements: [`create index texts_by_trigram_count on texts (trigram_count)`],
};
