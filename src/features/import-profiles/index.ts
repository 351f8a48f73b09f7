export { importProfiles } from './import-profiles.entity.ts';
export {
  applyProfileChange,
  loadProfiles,
  profileChoice,
  rememberProfile,
  type ProfileChange,
} from './remember-profile.ts';
