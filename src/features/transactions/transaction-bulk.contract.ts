import type { AnyOperation } from '../../contract/operation.ts';

export const operations: readonly AnyOperation[] = [];
