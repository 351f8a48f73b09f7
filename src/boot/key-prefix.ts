import type { Database } from '../db/unit-of-work.ts';
import { countKeysWithOtherPrefix } from '../features/api-keys/index.ts';
import { instantNow, type Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';

/** A changed API_KEY_PREFIX makes every key with the old one invalid; the operator is told how many (20.4). */
export async function warnOfOtherPrefix(
  prefix: string,
  database: Database,
  clock: Clock,
  logger: Logger,
): Promise<void> {
  const count = await database.read((tx) => countKeysWithOtherPrefix(tx, prefix, instantNow(clock)));
  if (count > 0) logger.warn(`${count} active API keys have another prefix than API_KEY_PREFIX and do not work.`);
}
