import { handleWrite } from '../handler.ts';
import { changeMetadata, METADATA_ACTION } from './edit-metadata.ts';
import { updateTransactionMetadata as operation } from './transaction-writes.contract.ts';

export const updateTransactionMetadata = handleWrite(operation, METADATA_ACTION, (context, { params, body }) =>
  changeMetadata(context, params.id, { set: body.set, unset: body.unset }),
);
