export { forgetModelKey } from './model-key.ts';
export { costOf, type Price } from './model-prices.ts';
export { openModel } from './open-model.ts';
export {
  modelFor,
  modelReadiness,
  modelRefusal,
  priceOf,
  readModelSettings,
  readWithKey,
  switchedOff,
  type ModelSettings,
} from './model-settings.ts';
export { readProposalDays } from './stored-settings.ts';
