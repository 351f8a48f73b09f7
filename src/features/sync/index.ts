export { dropRequest, requestSync, type SyncTrigger } from './request-sync.ts';
