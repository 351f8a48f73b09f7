import { handleWrite } from '../handler.ts';
import { changeMetadata, KEY_PATHS, METADATA_ACTION } from './edit-metadata.ts';
import { unsetTransactionMetadataKey as operation } from './transaction-writes.contract.ts';

export const unsetTransactionMetadataKey = handleWrite(operation, METADATA_ACTION, async (context, { params }) => {
  await changeMetadata(context, params.id, { unset: [params.key] }, KEY_PATHS);
  return null;
});
