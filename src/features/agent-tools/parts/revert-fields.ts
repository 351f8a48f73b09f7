import { z } from 'zod';

import { conflictMessage } from '../../../journal/revert-conflicts.ts';
import { AppError } from '../../../kernel/errors.ts';

/** What to do about conflicts. There is no `force` here: only a person may choose to delete people's work. */
export const REVERT_ARGUMENTS = {
  dry_run: z.boolean().default(true),
  on_conflict: z.enum(['refuse', 'skip']).default('refuse'),
};

interface Reverted {
  message: string | null;
  reverted_count: number;
}

/** A revert whose messages mention only what agents may do. */
export async function revertAsAgent<T extends Reverted>(isDryRun: boolean, revert: () => Promise<T>): Promise<T> {
  try {
    const done = await revert();
    return {
      ...done,
      message: isDryRun ? 'Nothing was changed. To revert, send the same arguments with dry_run false.' : null,
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'REVERT_CONFLICT') throw error;
    const count = Number(error.extra.members?.['conflict_count'] ?? 0);
    throw new AppError(error.code, conflictMessage(count, 0), error.extra);
  }
}
