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
  'Install Homeledger on a new machine and open its first page.',
  'Choose "Restore a backup" and give it your newest backup file and the key on this sheet.',
  'Sign in as before.',
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
    'Or on the command line, with this file: homeledger restore BACKUP --identity-file THIS_FILE',
    'Without Homeledger, age opens it: age -d -i THIS_FILE -o backup.tar BACKUP',
    '',
    'The recovery key:',
  ];
  return `${lines.map((line) => `# ${line}`.trimEnd()).join('\n')}\n${identity}\n`;
}
