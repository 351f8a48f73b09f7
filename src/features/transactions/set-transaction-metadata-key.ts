import { handleWrite } from '../handler.ts';
import { changeMetadata, KEY_PATHS, METADATA_ACTION } from './edit-metadata.ts';
import { setTransactionMetadataKey as operation } from './transaction-writes.contract.ts';

export const setTransactionMetadataKey = handleWrite(operation, METADATA_ACTION, (context, { params, body }) =>
  // Not an object literal: `__proto__` is a key like any other.
  changeMetadata(context, params.id, { set: Object.fromEntries([[params.key, body.value]]) }, KEY_PATHS),
);
