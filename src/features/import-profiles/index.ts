export { exchangeProfile } from './exchange-profile.ts';
export { loadProfiles, profileChoice } from './load-profiles.ts';
export { rememberProfile, type Exchanged } from './remember-profile.ts';
export { undo } from './undo-profiles.ts';
