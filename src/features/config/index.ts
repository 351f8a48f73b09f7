export { createLiveSettings, createSettingsWrites, type LiveSettings, type SettingsWrites } from './live-settings.ts';
export { adoptCurrency, changeConfig, configValue, getConfigKey, householdZone } from './config-entry.ts';
export type { ConfigName } from './config-keys.ts';
export { defineSettingGroup } from './setting-group.ts';
