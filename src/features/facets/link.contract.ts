import { z } from 'zod';

import { Id, ShortId, text } from '../../contract/common.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** What linking transactions to a series or counterparty does to each of them (contract 10.11). */
export const LinkResult = z
  .object({
    linked: z.int(),
    already_linked: z.int(),
    skipped: z
      .array(
        z.object({
          transaction_id: Id,
          short_id: ShortId,
          reason: z.enum(['bound_elsewhere']),
          bound_to: Id.meta({ description: 'The other series or counterparty' }),
        }),
      )
      .meta({ description: 'Transactions that already belong to another; linking never moves them' }),
  })
  .meta({ id: 'LinkResult' });

/** UUIDs or short_ids. What identifies no transaction is an INVALID_PARAMETER, even when it is too long to be an id. */
export function transactionIds(min: 0 | 1) {
  const most = `must have at most ${LIMITS.transactionsLinked} transactions`;
  return z
    .array(text(LIMITS.jsonBodyBytes))
    .min(min, 'must have at least one transaction')
    .max(LIMITS.transactionsLinked, most);
}

export const LinkBody = z
  .strictObject({
    transaction_ids: transactionIds(1),
    dry_run: z.boolean().default(false).meta({ description: 'Only report what would change' }),
  })
  .meta({ id: 'LinkBody' });
