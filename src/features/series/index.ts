import type { Handler } from '../handler.ts';

export const handlers: readonly Handler[] = [];
