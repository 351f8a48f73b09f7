import { z } from 'zod';

import { transactionIds } from '../../facets/link.contract.ts';

const ids = transactionIds(0).optional();

/** What tools take that link transactions to a record. */
export const LINK_ARGUMENTS = { add_transaction_ids: ids, remove_transaction_ids: ids };

/** What they answer besides the record. */
export const LINK_RESULT = {
  created: z.boolean(),
  linked: z.int(),
  already_linked: z.int(),
  skipped: z.array(z.looseObject({})),
  unlinked: z.int(),
};
