import { revertChangeSet } from '../../src/features/change-sets/change-sets.contract.ts';
import { api, ApiError } from './client.ts';

/** Reverts writes that belong together, the last one first. What has been reverted meanwhile needs nothing more. */
export async function undoAll(changeSetIds: readonly string[]): Promise<void> {
  const refused: ApiError[] = [];
  for (const id of changeSetIds.toReversed()) {
    try {
      await api.call(revertChangeSet, { params: { id }, body: {} });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'ALREADY_REVERTED') throw error;
      refused.push(error);
    }
  }
  if (refused.length === changeSetIds.length && refused[0]) throw refused[0];
}
