import { handleWrite } from '../handler.ts';
import { createApiKey as operation } from './api-keys.contract.ts';
import { makeKey } from './make-key.ts';

export const createApiKey = handleWrite(operation, 'api_key.create', ({ instance, tx }, { body }) =>
  makeKey(instance, tx, body),
);
