import { deleteImportProfile } from './delete-import-profile.ts';
import { getImportProfile } from './get-import-profile.ts';
import { listImportProfiles } from './list-import-profiles.ts';
import { saveImportProfile } from './save-import-profile.ts';

export const handlers = [listImportProfiles, getImportProfile, saveImportProfile, deleteImportProfile];

export { exchangeProfile } from './exchange-profile.ts';
export { loadProfiles, profileChoice } from './load-profiles.ts';
export { rememberProfile, type Exchanged } from './remember-profile.ts';
export { undo } from './undo-profiles.ts';
