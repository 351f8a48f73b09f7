import { isFirstRun } from '../../../../features/bootstrap/index.ts';
import { isServerRunning } from '../../../../features/encryption/index.ts';
import { backupPlace, listBackups } from '../../../../features/backups/index.ts';
import { recipientsOf } from '../../../../features/recovery-keys/index.ts';
import { parseCron } from '../../../../features/workflow-triggers/index.ts';
import { modelFor, modelReadiness, readModelSettings } from '../../../../features/workflow-settings/index.ts';
import { DAY_MS } from '../../../../kernel/dates.ts';
import { ask, fail, ofApp, pass, skip, warn, type DoctorCheck } from './check.ts';

const adminLogin = ofApp('admin-login', async ({ instance }) =>
  (await instance.database.read(isFirstRun))
    ? fail('Nobody can sign in as an administrator.', 'Run `homeledger users create-admin`.')
    : pass('An administrator can sign in.'),
);

const scheduler = ofApp('scheduler', async ({ instance }) => {
  const { database, config } = instance;
  const rows = await database.read(({ q }) => q.selectFrom('workflows').select(['slug', 'schedule_cron']).execute());
  const unread = rows.filter(({ schedule_cron: cron }) => cron !== null && 'problem' in parseCron(cron));
  if (unread.length > 0) {
    const names = unread.map(({ slug }) => slug).join(', ');
    return fail(`Schedules of workflows cannot be read: ${names}.`, 'Correct them on the page Workflows.');
  }
  if (!(await isServerRunning(database))) return skip('No server is running, so nothing happens by itself.');
  if (config.port === 0) return skip('The server took any free port, so it cannot be asked.');
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}/health/ready`;
  const ready = await ask(address).then(
    async (response) => (await response.json()) as { scheduler?: string },
    () => undefined,
  );
  if (ready === undefined) return skip(`A server is running, but not at ${host}:${config.port}, as HOST and PORT say.`);
  if (ready.scheduler === 'running') return pass('The scheduler of the running server is alive.');
  return fail('A server is running, but its scheduler is not alive.', 'Restart the server, and read its log.');
});

const TIERS = ['fast', 'balanced', 'deep'] as const;

const models = ofApp('models', async ({ instance }, { isOffline }) => {
  const settings = await instance.database.read((tx) => readModelSettings(tx, instance));
  if (!settings.isEnabled) return pass('Workflows are switched off.');
  const isReady = TIERS.every(
    (tier) => modelReadiness(settings, modelFor(settings, { tier, model: null })) === 'ready',
  );
  if (!isReady) return warn('Workflows are switched on, but no model can be used.', 'Choose one on the page Models.');
  if (isOffline || settings.baseUrl === null) return pass('Every tier has a model.');
  const isThere = await ask(settings.baseUrl).then(
    () => true,
    () => false,
  );
  const { host } = new URL(settings.baseUrl);
  if (isThere) return pass(`Every tier has a model, and ${host} answers.`);
  return warn(`The model server ${host} does not answer.`, 'Start it, or correct its address on the page Models.');
});

const OLD_DAYS = 8;

const backups = ofApp('backups', async ({ instance }, { now }) => {
  const { directory, freeBytes, isSameDisk } = await backupPlace(instance);
  if (freeBytes === null) {
    return fail(
      `The backup directory ${directory} is not there, or cannot be read.`,
      'Mount its disk, or set BACKUP_DIR.',
    );
  }
  const newest = (await listBackups(instance)).find(
    ({ status, created_at: at }) => status === 'complete' && at !== null,
  );
  const isOld = newest?.created_at == null || now - Date.parse(newest.created_at) > OLD_DAYS * DAY_MS;
  if (isOld) return warn(`No backup was made in the last ${OLD_DAYS} days.`, 'Run `homeledger backup create`.');
  const recipients = await instance.database.read(recipientsOf);
  if (recipients.length > 0 && isSameDisk === true) {
    return warn('Backups are on the same disk as the ledger.', 'Set BACKUP_DIR to a directory on another disk.');
  }
  if (recipients.length > 0) return pass(`Backups are encrypted to ${recipients.length} recovery keys.`);
  return warn('There is no recovery key, so backups are not encrypted.', 'Run `homeledger backup recovery-key`.');
});

export const householdChecks: readonly DoctorCheck[] = [adminLogin, scheduler, models, backups];
