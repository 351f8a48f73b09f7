import { handleWrite } from '../handler.ts';
import { replaceAccountLink as operation } from './account-links.contract.ts';
import { change } from './update-account-link.ts';

export const replaceAccountLink = handleWrite(operation, 'account_link.update', change);
