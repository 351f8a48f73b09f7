export { forgetChannelSecrets } from './notification-channels.entity.ts';
