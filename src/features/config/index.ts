export { createLiveSettings, createSettingsWrites, type LiveSettings, type SettingsWrites } from './live-settings.ts';
export { adoptCurrency, changeConfig, configValue } from './config-entry.ts';
