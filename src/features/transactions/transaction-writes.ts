import type { Handler } from '../handler.ts';

/** The handlers of transaction-writes.contract.ts. */
export const handlers: readonly Handler[] = [];
