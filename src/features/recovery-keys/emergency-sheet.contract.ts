/** What is on an emergency sheet (contract 85.4). */
export interface EmergencySheet {
  identity: string;
  recipient: string;
  /** The day it was made. */
  date: string;
  /** Where the household finds this Homeledger; null if that is not known. */
  address: string | null;
}

/** What to do with the key, one step each. */
export const RECOVERY_STEPS: readonly string[] = [
  'Put the key on this sheet into a text file, key.txt, beside your newest backup file.',
  'Open the backup with age, which every system has a package of: age -d -i key.txt -o backup.tar BACKUP',
  'The folders in backup.tar are the tables of the ledger, compressed with zstd, one row of JSON on each line.',
];

/** Whoever finds the sheet has to know this too. */
export const SHEET_WARNING =
  'This key and a backup file open everything: the ledger, and the access to your banks. Keep them apart, and the key on paper.';

/**
 * The sheet as text. It is an identity file of `age` too, so that it can be used as it is: every line but the key is a
 * comment.
 */
export function sheetText({ identity, recipient, date, address }: EmergencySheet): string {
  const lines = [
    'Homeledger emergency sheet',
    '',
    `Made: ${date}`,
    ...(address === null ? [] : [`Address: ${address}`]),
    `Backups are encrypted to: ${recipient}`,
    '',
    SHEET_WARNING,
    '',
    'When the machine is lost:',
    ...RECOVERY_STEPS.map((step, at) => `${at + 1}. ${step}`),
    '',
    'The recovery key:',
  ];
  return `${lines.map((line) => `# ${line}`.trimEnd()).join('\n')}\n${identity}\n`;
}
