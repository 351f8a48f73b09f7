import type { Handler } from '../handler.ts';

/** The handlers of transaction-reports.contract.ts. */
export const handlers: readonly Handler[] = [];
