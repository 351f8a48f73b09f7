export { adoptCurrency, configValue } from './config-entry.ts';
