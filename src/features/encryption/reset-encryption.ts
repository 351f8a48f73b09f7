import type { EncryptedTable } from '../../db/encrypted-columns.ts';
import { systemOrigin, write, type WriteTx } from '../../journal/write.ts';
import { keyIdOf } from '../../kernel/crypto.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { forgetCredentials, forgetPendingLinks } from '../connections/index.ts';
import { forgetAccountNumbers } from '../imports/index.ts';
import { forgetChannelSecrets } from '../notifications/index.ts';
import { forgetProviderSecrets } from '../provider-settings/index.ts';
import { deleteInstanceSecrets, findCurrentKey, selectRecords } from './encryption-keys.queries.ts';
import { keepPrevious, keyFileIn, writeKeys } from './key-file.ts';
import { candidates, isKeyOf, keyOfSource, replaceCurrent, type KeyParts, type MasterKey } from './master-key.ts';

export interface GivenUp {
  lostKeyId: string;
  newKeyId: string;
  connectionCount: number;
  /** Of providers and models. */
  secretCount: number;
  channelCount: number;
}

const ORIGIN = systemOrigin('cli', 'encryption_key.reset', { surface: 'cli' });

/** What becomes of the records of each table when their key is lost. Returns how many things they belonged to. */
const FORGET: Readonly<Record<EncryptedTable, (tx: WriteTx) => Promise<number>>> = {
  connections: forgetCredentials,
  pending_links: forgetPendingLinks,
  provider_settings: forgetProviderSecrets,
  notification_channels: forgetChannelSecrets,
  instance_secrets: async (tx) => {
    const { forgetModelKey } = await import('../workflow-settings/index.ts');
    const hadModelKey = await forgetModelKey(tx);
    await forgetAccountNumbers(tx);
    await deleteInstanceSecrets(tx);
    return hadModelKey ? 1 : 0;
  },
};

/**
 * Discards every secret of a lost key, and makes the key of the source the current one (contract 20.15). The ledger
 * stays as it is.
 * @throws OperatorError if the key is not lost
 */
export async function resetMasterKey(parts: KeyParts, tell: (givenUp: GivenUp) => void): Promise<MasterKey> {
  const { database, config, random, failpoint } = parts;
  const lost = await database.read(findCurrentKey);
  if (!lost) throw new OperatorError('This database has never had an encryption key, so none can be lost.');
  const found = candidates(parts);
  const match = found.find(({ key }) => isKeyOf(key, lost));
  if (match) {
    throw new OperatorError(
      `The encryption key ${lost.key_id} is not lost: it is in ${match.where}. ` +
        'To replace it, use `homeledger keys rotate-encryption`.',
    );
  }
  const master = keyOfSource(parts);
  if (found.length > 1) {
    keepPrevious(
      keyFileIn(config.dataDir),
      found.slice(1).map(({ key }) => key),
    );
    writeKeys(keyFileIn(config.dataDir), [master.key]);
  }
  failpoint('reset:key-at-hand');
  const { value: counts } = await write(database, ORIGIN, async (tx) => {
    const counts = await forgetAll(tx);
    await replaceCurrent(tx, master.key, random);
    tx.journal.summarise('Discarded the secrets of a lost encryption key');
    failpoint('reset:before-commit');
    return counts;
  });
  tell({ lostKeyId: lost.key_id, newKeyId: keyIdOf(master.key), ...counts });
  return master;
}

async function forgetAll(tx: WriteTx): Promise<Pick<GivenUp, 'connectionCount' | 'secretCount' | 'channelCount'>> {
  const counts: Partial<Record<EncryptedTable, number>> = {};
  for (const [table, forget] of Object.entries(FORGET)) counts[table as EncryptedTable] = await forget(tx);
  const left = await selectRecords(tx);
  if (left[0]) throw new Error(`The records of ${left[0].table}.${left[0].column} were not given up.`);
  return {
    connectionCount: counts.connections ?? 0,
    secretCount: (counts.provider_settings ?? 0) + (counts.instance_secrets ?? 0),
    channelCount: counts.notification_channels ?? 0,
  };
}
