export { forgetChannelSecrets } from './notification-channels.entity.ts';
export { dropOldDeliveries } from './notification-settings.ts';
export { cancelDeliveriesOf, raise, type Occurrence } from './raise.ts';
export { tellOfFlagged } from './tell-of-flagged.ts';
