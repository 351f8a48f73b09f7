import { getApiVersion } from './get-api-version.ts';
import { getHealth } from './get-health.ts';
import { getReadiness } from './get-readiness.ts';
import { getVersion } from './get-version.ts';

export const handlers = [getHealth, getReadiness, getVersion, getApiVersion];
