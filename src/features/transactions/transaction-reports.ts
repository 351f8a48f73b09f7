import type { Handler } from '../handler.ts';
import { exportTransactions } from './export-transactions.ts';
import { listMerchants } from './list-merchants.ts';

/** The handlers of transaction-reports.contract.ts. */
export const handlers: readonly Handler[] = [listMerchants, exportTransactions];
