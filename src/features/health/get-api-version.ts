import { handleBackground } from '../handler.ts';
import { getApiVersion as operation } from './health.contract.ts';
import { versionAnswer } from './version-answer.ts';

export const getApiVersion = handleBackground(operation, async ({ instance }) => versionAnswer(instance));
