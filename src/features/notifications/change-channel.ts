import type { z } from 'zod';

import type { NotificationChannelsTable } from '../../db/schema-agents.ts';
import type { WriteTx } from '../../journal/write.ts';
import { validationError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { findReachable } from './address-guard.ts';
import type { NewNotificationChannel, NotificationChannelUpdate } from './notification-channels.contract.ts';
import { maskUrl, notificationChannels, openTarget, sealSecrets, secretsSet } from './notification-channels.entity.ts';
import { notificationSettings } from './notification-settings.ts';
import { cancelDeliveriesTo, rescheduleHeld } from './raise.ts';

/**
 * Looks where an address leads, before any transaction. A name without an address is accepted: its server may be off.
 * @throws VALIDATION_ERROR if it leads where nothing is sent (contract 50.4.3)
 */
export async function requireReachable(instance: Instance, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const { allow_private_networks: allowsPrivate } = await instance.database.read((tx) => notificationSettings.read(tx));
  const found = findReachable(new URL(url), { resolve: instance.resolveHost, allowsPrivate });
  const late = Promise.withResolvers<{ kind: 'unknown' }>();
  const timer = setTimeout(() => late.resolve({ kind: 'unknown' }), LIMITS.notificationResolveMs);
  const reachable = await Promise.race([found, late.promise]).finally(() => clearTimeout(timer));
  if (reachable.kind === 'refused') throw validationError('url', `url: ${reachable.reason}`);
}

type Created = z.output<typeof NewNotificationChannel>;

/** @throws VALIDATION_ERROR */
export async function addChannel(
  tx: WriteTx,
  instance: Instance,
  body: Created,
  secret: string | null,
): Promise<NotificationChannelsTable> {
  checkSecrets(body.format, { secret: body.secret, token: body.token });
  checkQuietHours(body);
  const id = tx.ids.uuid();
  const sealed = await sealSecrets(tx, instance, id, { url: body.url, secret, token: body.token });
  const row = {
    id,
    name: body.name,
    format: body.format,
    url_masked: maskUrl(body.url),
    events: JSON.stringify(body.events),
    min_priority: body.min_priority,
    is_body_included: body.include_body ? (1 as const) : (0 as const),
    quiet_hours_start: body.quiet_hours_start,
    quiet_hours_end: body.quiet_hours_end,
    is_enabled: body.enabled ? (1 as const) : (0 as const),
    ...sealed,
  };
  const set = { url: 'set', secret: secret === null ? null : 'set', token: body.token === null ? null : 'set' };
  return notificationChannels.create(tx, row, { fields: { after: set } });
}

type Updated = z.output<typeof NotificationChannelUpdate>;

/** Secrets that are sent as they are already change nothing. @throws VALIDATION_ERROR */
export async function changeChannel(
  tx: WriteTx,
  instance: Instance,
  row: NotificationChannelsTable,
  body: Updated,
): Promise<NotificationChannelsTable> {
  checkSecrets(row.format, { secret: body.secret, token: body.token });
  const quiet = {
    quiet_hours_start: body.quiet_hours_start === undefined ? row.quiet_hours_start : body.quiet_hours_start,
    quiet_hours_end: body.quiet_hours_end === undefined ? row.quiet_hours_end : body.quiet_hours_end,
  };
  checkQuietHours(quiet);
  const secrets = newSecrets(instance, row, body);
  const sealed = await sealSecrets(tx, instance, row.id, secrets);
  const patch = {
    name: body.name,
    events: body.events === undefined ? undefined : JSON.stringify(body.events),
    min_priority: body.min_priority,
    is_body_included: flagOf(body.include_body),
    is_enabled: flagOf(body.enabled),
    url_masked: secrets.url === undefined ? undefined : maskUrl(secrets.url),
    ...quiet,
    ...sealed,
  };
  requireAddress({ ...row, ...sealed }, body.enabled);
  const before = secretsSet(row);
  const after = secretsSet({ ...row, ...sealed });
  const names = Object.keys(sealed) as (keyof typeof before)[];
  const only = (set: typeof before) => Object.fromEntries(names.map((name) => [name, set[name]]));
  const changed = await notificationChannels.change(tx, row, patch, {
    fields: { before: only(before), after: only(after) },
  });
  if (row.is_enabled === 1 && changed.is_enabled === 0) await cancelDeliveriesTo(tx, row.id);
  const isQuietAsBefore =
    row.quiet_hours_start === quiet.quiet_hours_start && row.quiet_hours_end === quiet.quiet_hours_end;
  if (!isQuietAsBefore) await rescheduleHeld(tx, changed);
  return changed;
}

function flagOf(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0;
}

/** Those of the secrets sent that differ from the stored ones. */
function newSecrets(
  instance: Instance,
  row: NotificationChannelsTable,
  { url, secret, token }: Updated,
): { url?: string; secret?: string; token?: string | null } {
  const known = openTarget(instance, row);
  return {
    ...(url === undefined || url === known?.url ? {} : { url }),
    ...(secret === undefined || secret === known?.secret ? {} : { secret }),
    ...(token === undefined || token === (known ? known.token : row.token) ? {} : { token }),
  };
}

/** After a lost key, a channel is complete again only when its address and token are entered. @throws VALIDATION_ERROR */
function requireAddress(row: NotificationChannelsTable, enabled: boolean | undefined): void {
  if (enabled !== true) return;
  const missing = row.url === null ? 'url' : row.format === 'gotify' && row.token === null ? 'token' : null;
  if (missing !== null) throw validationError(missing, `${missing}: is missing. Send it to enable the channel.`);
  if (row.format === 'webhook' && row.secret === null) {
    throw validationError('secret', 'secret: is missing. Send one, or rotate it, to enable the channel.');
  }
}

/** @throws VALIDATION_ERROR */
function checkSecrets(
  format: string,
  { secret, token }: { secret: string | undefined; token: string | null | undefined },
): void {
  if (secret !== undefined && format !== 'webhook') {
    throw validationError('secret', `secret: only a webhook has one; this channel is ${format}.`);
  }
  if (token !== undefined && token !== null && format === 'webhook') {
    throw validationError('token', 'token: a webhook has none. Its requests are signed.');
  }
  if (token === null && format === 'gotify') {
    throw validationError('token', 'token: gotify needs the token of an application.');
  }
}

/** @throws VALIDATION_ERROR */
function checkQuietHours({
  quiet_hours_start: start,
  quiet_hours_end: end,
}: Pick<NotificationChannelsTable, 'quiet_hours_start' | 'quiet_hours_end'>): void {
  if ((start === null) !== (end === null)) {
    const missing = start === null ? 'quiet_hours_start' : 'quiet_hours_end';
    throw validationError(missing, `${missing}: quiet hours need both a start and an end.`);
  }
  if (start !== null && start === end) {
    throw validationError('quiet_hours_end', 'quiet_hours_end: must differ from quiet_hours_start.');
  }
}
