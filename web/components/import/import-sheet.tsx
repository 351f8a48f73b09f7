import { useEffect } from 'react';

import { useStore } from '../../lib/store.ts';
import { PageLink, LINK } from '../../lib/page-link.tsx';
import { Banner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { failed, followed } from './follow-store.ts';
import { closeSheet, queue } from './import-queue.ts';
import { RunningImport } from './running-import.tsx';
import { ShortForm } from './short-form.tsx';

/** The files that were chosen or dropped, one after the other; then how their imports go. */
export default function ImportSheet() {
  const files = useStore(queue);
  const running = useStore(followed);
  const wrong = useStore(failed);
  const [first, ...later] = files;
  const isDone = files.length === 0 && running.length === 0 && wrong.length === 0;
  useEffect(() => {
    if (isDone) closeSheet();
  }, [isDone]);
  const close = (): void => {
    failed.set([]);
    closeSheet();
  };
  return (
    <Dialog wide open title={first ? 'Import a file' : 'Importing'} onClose={close}>
      {wrong.map((one) => (
        <Banner key={one.id} tone="danger" title={`${one.fileName} was not imported`}>
          <p>{one.message} Nothing of it was written.</p>
          <PageLink to="/imports/{id}" params={{ id: one.id }} className={LINK} onClick={close}>
            Show the import
          </PageLink>
        </Banner>
      ))}
      {running.map((one) => (
        <RunningImport key={one.id} one={one} />
      ))}
      {/* What the next file brings depends on what the one before has written. */}
      {first && <ShortForm key={first.id} item={first} later={later} isWaiting={running.length > 0} onClose={close} />}
      {!first && running.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
            You can close this, and the page: the import goes on, and Imports shows it.
          </p>
          <Button onClick={close} autoFocus>
            Close
          </Button>
        </div>
      )}
    </Dialog>
  );
}
