import { instantNow } from '../../kernel/clock.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { defineSettingGroup } from '../config/index.ts';
import type { Instance } from '../handler.ts';
import { deleteInParts } from '../old-rows.ts';
import { finishedBefore } from './deliveries.queries.ts';
import { NotificationSettings } from './notifications.contract.ts';

/** What `/settings/notifications` keeps. */
export const notificationSettings = defineSettingGroup('notifications', NotificationSettings, {
  allow_private_networks: false,
  delivery_retention_days: 30,
});

/** Deletes messages that were finished longer ago than the household keeps them. */
export async function dropOldDeliveries({ database, clock }: Instance): Promise<void> {
  const { delivery_retention_days: days } = await database.read((tx) => notificationSettings.read(tx));
  await deleteInParts(database, finishedBefore(instantAfter(instantNow(clock), -days * DAY_MS)));
}
