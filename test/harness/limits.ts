import { onTestFinished } from 'vitest';

import { LIMITS } from '../../src/kernel/limits.ts';

/** Another limit until the end of the test, so that few rows fill what otherwise takes very many. */
export function setLimit(name: keyof typeof LIMITS, value: number): void {
  const before = LIMITS[name];
  Object.assign(LIMITS, { [name]: value });
  onTestFinished(() => {
    Object.assign(LIMITS, { [name]: before });
  });
}
