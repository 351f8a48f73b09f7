import { handleBackground } from '../handler.ts';
import { getHealth as operation } from './health.contract.ts';

export const getHealth = handleBackground(operation, async ({ instance }) => ({
  status: 'ok' as const,
  version: instance.version,
}));
