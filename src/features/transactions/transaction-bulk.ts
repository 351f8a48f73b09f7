import type { Handler } from '../handler.ts';

/** The handlers of transaction-bulk.contract.ts. */
export const handlers: readonly Handler[] = [];
