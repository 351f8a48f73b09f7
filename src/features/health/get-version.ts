import { handleBackground } from '../handler.ts';
import { getVersion as operation } from './health.contract.ts';
import { versionAnswer } from './version-answer.ts';

export const getVersion = handleBackground(operation, async ({ instance }) => versionAnswer(instance));
