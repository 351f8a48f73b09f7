import type { WriteContext } from '../handler.ts';
import { editTransaction } from './edit-transaction.ts';
import { editMetadata, type MetadataChange, type MetadataPaths } from './metadata-limits.ts';

/** The action of every change of metadata. */
export const METADATA_ACTION = 'transaction.metadata_update';

/** Changes the metadata of one live transaction; answers the map afterwards. @throws NOT_FOUND, VALIDATION_ERROR */
export async function changeMetadata(
  context: WriteContext,
  anyId: string,
  change: MetadataChange,
  paths?: MetadataPaths,
): Promise<{ transaction_id: string; metadata: Record<string, unknown> }> {
  const summary = 'Changed the metadata of a transaction';
  const { after } = await editTransaction(context, anyId, summary, (facets, editor) =>
    editMetadata(facets, editor, change, paths),
  );
  return { transaction_id: after.id, metadata: Object.fromEntries(after.metadata) };
}

/** Where a request names a single key in its path. */
export const KEY_PATHS: MetadataPaths = { replace: 'metadata', unset: 'key', set: 'value', key: 'key' };
