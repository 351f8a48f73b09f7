import { handleWrite } from '../handler.ts';
import { changeMetadata, METADATA_ACTION } from './edit-metadata.ts';
import { replaceTransactionMetadata as operation } from './transaction-writes.contract.ts';

export const replaceTransactionMetadata = handleWrite(operation, METADATA_ACTION, (context, { params, body }) =>
  changeMetadata(context, params.id, { replace: body.metadata }),
);
