import { expect } from 'vitest';

import type { Answer } from './test-app.ts';

/** The answer is an error of the catalogue. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.json?.error?.code], answer.text).toEqual([status, code]);
}
