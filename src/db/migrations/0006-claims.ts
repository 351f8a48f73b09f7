import type { Migration } from '../migrate.ts';

/** Who claims an idempotency key, so that the claim ends with its process (docs/decisions/0013). */
export const claims: Migration = {
  version: 6,
  name: 'claims',
  statements: [
    `alter table idempotent_answers add column claim_id {text}`,
    `alter table idempotent_answers add column holder {text}`,
  ],
};
