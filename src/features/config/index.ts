export { changeConfig, configValue } from './config-entry.ts';
