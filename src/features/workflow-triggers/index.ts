export { parseCron } from '../../engines/cron/parse-cron.ts';
export { nextFireAt, nextOccurrences } from './schedule.ts';
