import { handleWrite } from '../handler.ts';
import type { RuleUpdate } from './rule-record.contract.ts';
import { replaceRule as operation } from './rules.contract.ts';
import { applyUpdate } from './update-rule.ts';

export const replaceRule = handleWrite(operation, 'rule.update', ({ tx }, { params, body }) =>
  applyUpdate(tx, params.id, body as RuleUpdate),
);
