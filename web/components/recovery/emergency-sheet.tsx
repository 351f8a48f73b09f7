import { Download, Printer } from 'lucide-react';
import { encodeQR } from 'qr';
import { useMemo } from 'react';

import {
  RECOVERY_STEPS,
  SHEET_WARNING,
  sheetText,
  type EmergencySheet as Sheet,
} from '../../../src/features/recovery-keys/emergency-sheet.contract.ts';
import { nowMs } from '../../lib/clock.ts';
import { Button } from '../button.tsx';
import { Facts } from '../definition-list.tsx';
import { CopyButton } from '../snippet.tsx';

interface EmergencySheetProps {
  identity: string;
  recipient: string;
  /** After that the key is gone from the page. */
  onDone: () => void;
}

/** The recovery key, this one time: to print or to save. What is printed is the sheet and nothing else of the page. */
export function EmergencySheet({ identity, recipient, onDone }: EmergencySheetProps) {
  const sheet: Sheet = { identity, recipient, date: today(), address: location.origin };
  return (
    <>
      <article
        aria-label="Emergency sheet"
        className="mb-6 rounded-card border border-accent bg-surface p-4 sm:p-6 print:border-0 print:p-0"
      >
        <p className="mb-4">{SHEET_WARNING}</p>
        <div className="mb-6 flex flex-wrap items-center gap-6">
          <QrCode text={identity} />
          <div className="min-w-0 flex-1 basis-72">
            <h2 className="font-semibold">The recovery key</h2>
            <p className="mt-2 rounded-control bg-sunken p-3 font-mono break-all">
              <code>{identity}</code>
            </p>
          </div>
        </div>
        <Facts
          items={[
            { term: 'Made', value: sheet.date },
            { term: 'Homeledger at', value: sheet.address },
          ]}
        />
        <p className="mt-4 text-sm text-muted">
          Backups are encrypted to <code className="font-mono break-all">{recipient}</code>
        </p>
        <h2 className="mt-6 mb-2 font-semibold">When the machine is lost</h2>
        <ol className="list-decimal space-y-1 pl-6">
          {RECOVERY_STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </article>
      <div className="mb-6 flex flex-wrap items-start gap-3 print:hidden">
        <Button icon={Printer} onClick={() => print()}>
          Print
        </Button>
        <Button icon={Download} onClick={() => save(sheetText(sheet))}>
          Save as a file
        </Button>
        <CopyButton text={identity} label="Copy the key" />
        <Button look="primary" onClick={onDone}>
          I have it on paper
        </Button>
      </div>
    </>
  );
}

function today(): string {
  return new Date(nowMs()).toISOString().slice(0, 10);
}

/** The address of the file is forgotten as soon as the browser has begun to save it. */
function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'homeledger-emergency-sheet.txt';
  link.click();
  URL.revokeObjectURL(url);
}

/** Dark on white in every theme: phones read nothing else. */
function QrCode({ text }: { text: string }) {
  const { path, size } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 2 });
    const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { path: squares.join(''), size: rows.length };
  }, [text]);
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label="The key as a QR code" className="size-44 shrink-0">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
