import type { Migration } from '../migrate.ts';
import { ledger } from './0001-ledger.ts';
import { undo } from './0002-undo.ts';
import { rules } from './0003-rules.ts';
import { ruleEffects } from './0004-rule-effects.ts';
import { leanIndexes } from './0005-lean-indexes.ts';
import { claims } from './0006-claims.ts';
import { knownReadings } from './0007-known-readings.ts';
import { byHand } from './0008-by-hand.ts';
import { identity } from './0009-identity.ts';
import { providerSettings } from './0010-provider-settings.ts';
import { bankSync } from './0011-bank-sync.ts';
import { agents } from './0012-agents.ts';
import { workflows } from './0013-workflows.ts';
import { totals } from './0014-totals.ts';
import { shortTexts } from './0015-short-texts.ts';
import { referencesOfStatements } from './0016-references-of-statements.ts';
import { emptiedTotals } from './0017-emptied-totals.ts';
import { announcedConsents } from './0018-announced-consents.ts';
import { flags } from './0019-flags.ts';
import { providerMappings } from './0020-provider-mappings.ts';
import { daysAndKeys } from './0021-days-and-keys.ts';
import { revocations } from './0022-revocations.ts';
import { choices } from './0023-choices.ts';
import { accountProofs } from './0024-account-proofs.ts';
import { undecided } from './0025-undecided.ts';

/** Every migration, oldest first. A step that has been released is never edited. */
export const migrations: readonly Migration[] = [
  ledger,
  undo,
  rules,
  ruleEffects,
  leanIndexes,
  claims,
  knownReadings,
  byHand,
  identity,
  providerSettings,
  bankSync,
  agents,
  workflows,
  totals,
  shortTexts,
  referencesOfStatements,
  emptiedTotals,
  announcedConsents,
  flags,
  providerMappings,
  daysAndKeys,
  revocations,
  choices,
  accountProofs,
  undecided,
];
