import { expect } from 'vitest';

import type { Made } from './ledger.ts';
import type { TestApp } from './test-app.ts';

/** Creates something over the API, as a client with full access. */
export async function created(app: TestApp, path: string, body: object): Promise<Made> {
  const answer = await app.request('POST', `/api/v1${path}`, { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
