export { purgeDeviceRequests } from './device-requests.queries.ts';
