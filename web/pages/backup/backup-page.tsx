import { Archive } from 'lucide-react';
import { useState } from 'react';

import { exportHousehold } from '../../../src/features/export/export.contract.ts';
import { buttonClass } from '../../components/button.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { EmergencySheet } from '../../components/recovery/emergency-sheet.tsx';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { RecoveryKeysSection } from './recovery-keys-section.tsx';

/** A recovery key that was made here, for as long as its sheet is shown. */
interface MadeKey {
  identity: string;
  recipient: string;
}

/** What opens backups, and the way out with everything. */
export default function BackupPage() {
  const [made, setMade] = useState<MadeKey | null>(null);
  if (made) return <SheetOnce made={made} onDone={() => setMade(null)} />;
  return (
    <>
      <PageHeader
        title="Backup"
        lead="Backups are made on the server, by the command homeledger backup create. Here are the keys that open them, and everything as ordinary files."
      />
      <RecoveryKeysSection
        onMade={({ identity, recipient }) => identity !== null && setMade({ identity, recipient })}
      />
      <Section
        title="Leave"
        about="One zip file with all transactions, accounts, balances and rules, as CSV, JSON and Beancount. It is not encrypted, and has no passwords or keys."
      >
        <a className={buttonClass('secondary')} href={exportHousehold.path} download>
          <Archive aria-hidden size={18} />
          Download everything
        </a>
      </Section>
    </>
  );
}

/** The page while a new key is shown: nothing is beside it, so that it prints as one sheet. */
function SheetOnce({ made, onDone }: { made: MadeKey; onDone: () => void }) {
  useUnsavedChanges(true, 'secret');
  return (
    <>
      <PageHeader title="Emergency sheet" lead="Print it and keep it apart from the backups. It is shown only once." />
      <EmergencySheet identity={made.identity} recipient={made.recipient} onDone={onDone} />
    </>
  );
}
