import type { Handler } from '../handler.ts';
import { addTransactionTag } from './add-transaction-tag.ts';
import { clearTransactionMetadata } from './clear-transaction-metadata.ts';
import { deleteTransaction } from './delete-transaction.ts';
import { flagTransaction } from './flag-transaction.ts';
import { removeTransactionTag } from './remove-transaction-tag.ts';
import { replaceTransactionMetadata } from './replace-transaction-metadata.ts';
import { resetTransactionCategory } from './reset-transaction-category.ts';
import { restoreTransaction } from './restore-transaction.ts';
import { setTransactionCategory } from './set-transaction-category.ts';
import { setTransactionMetadataKey } from './set-transaction-metadata-key.ts';
import { unflagTransaction } from './unflag-transaction.ts';
import { unsetTransactionMetadataKey } from './unset-transaction-metadata-key.ts';
import { updateTransactionMetadata } from './update-transaction-metadata.ts';

/** The handlers of transaction-writes.contract.ts. */
export const handlers: readonly Handler[] = [
  deleteTransaction,
  restoreTransaction,
  setTransactionCategory,
  resetTransactionCategory,
  flagTransaction,
  unflagTransaction,
  addTransactionTag,
  removeTransactionTag,
  replaceTransactionMetadata,
  updateTransactionMetadata,
  clearTransactionMetadata,
  setTransactionMetadataKey,
  unsetTransactionMetadataKey,
];
