import type { Migration } from '../migrate.ts';

/** How the categories of each provider were mapped last, so that a better mapping reaches what is stored, once. */
export const providerMappings: Migration = {
  version: 20,
  name: 'provider-mappings',
  statements: [
    `create table provider_mappings (
      provider {text} primary key, version {int} not null, mapped_at {text} not null
    ) {strict}`,
  ],
};
