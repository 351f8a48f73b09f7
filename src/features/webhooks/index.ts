export { webhookHealth, type WebhookHealth } from './counters.ts';
export { failWaitingEvents, settleEvents } from './settle-events.ts';
