import type { Prepared } from './live-calls.ts';

/** Calls of these operations that need something which a fresh installation does not have. */
export const prepared: Prepared = {};
