export { adoptCurrency, changeConfig, configValue } from './config-entry.ts';
