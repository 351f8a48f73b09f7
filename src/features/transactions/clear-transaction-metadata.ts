import { handleWrite } from '../handler.ts';
import { changeMetadata, METADATA_ACTION } from './edit-metadata.ts';
import { clearTransactionMetadata as operation } from './transaction-writes.contract.ts';

export const clearTransactionMetadata = handleWrite(operation, METADATA_ACTION, async (context, { params }) => {
  await changeMetadata(context, params.id, { replace: {} });
  return null;
});
