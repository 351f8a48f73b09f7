import type { Migration } from '../migrate.ts';

/** An end of the consent that only a webhook told of is not refuted by what the bank leaves unsaid. */
export const announcedConsents: Migration = {
  version: 18,
  name: 'announced consents',
  statements: [`alter table connections add column consent_announced_at {text}`],
};
