export { forgetChannelSecrets } from './notification-channels.entity.ts';
export { cancelDeliveriesOf, raise, type Occurrence } from './raise.ts';
