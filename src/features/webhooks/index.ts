// Not the receiver, which asks for syncs: the code of syncs uses what is here.
export { webhookHealth } from './counters.ts';
export { pulledTo } from './fetch-again-later.ts';
export { pickUpEvents } from './pick-up-events.ts';
export { failWaitingEvents, settleEvents } from './settle-events.ts';
