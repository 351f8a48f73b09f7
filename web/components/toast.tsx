import { Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';

import { ApiError, messageOf } from '../api/client.ts';
import { refresh } from '../api/queries.ts';
import { undoAll } from '../api/undo.ts';
import { useCommonKey } from '../layout/page-keys.ts';
import { useStore } from '../lib/store.ts';
import { Button } from './button.tsx';
import { openDialogs } from './open-dialogs.ts';
import { dismissToast, dropOffered, showToast, showUndo, toasts, type Toast } from './toast-store.ts';

/**
 * Rendered once, by the app, in the topmost dialog if there is one. The region is always there, so that screen readers hear
 * what comes into it.
 */
export function Toasts() {
  const shown = useStore(toasts);
  const dialog = useStore(openDialogs).at(-1);
  return createPortal(
    <section
      aria-label="Notifications"
      className="pointer-events-none print:hidden fixed inset-x-4 bottom-20 z-40 flex flex-col items-center gap-2 sm:bottom-6 sm:left-auto sm:items-end"
    >
      <div role="status" aria-live="polite" className="contents">
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} isNewest={toast === shown.at(-1)} />
        ))}
      </div>
    </section>,
    dialog ?? document.body,
  );
}

function ToastCard({ toast, isNewest }: { toast: Toast; isNewest: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const { changeSetIds: offered } = toast;

  async function undo(changeSetIds: readonly string[]): Promise<void> {
    setBusy(true);
    dropOffered(changeSetIds);
    try {
      await undoAll(changeSetIds);
      await refresh();
      dismissToast(toast.id);
      showToast('Undone.');
    } catch (error) {
      dismissToast(toast.id);
      // What was refused stays refused; whatever else went wrong may go well the next time.
      const isRefused = error instanceof ApiError && error.status < 500 && error.retryAfter === null;
      if (isRefused) showToast(messageOf(error));
      else showUndo(messageOf(error), changeSetIds);
    }
  }

  useCommonKey('z', () => isNewest && offered && !isBusy && void undo(offered));
  return (
    <div className="pointer-events-auto flex w-full max-w-md items-center gap-2 rounded-card bg-ink py-1.5 pr-1.5 pl-4 text-canvas shadow-lg">
      <p className="min-w-0 flex-1 py-1.5 wrap-anywhere">{toast.text}</p>
      {offered !== undefined && (
        <Button icon={Undo2} busy={isBusy} onClick={() => void undo(offered)}>
          Undo
        </Button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        title="Dismiss"
        className="target grid min-w-10 place-items-center rounded-control hover:bg-canvas/20 pointer-coarse:min-w-11"
        onClick={() => dismissToast(toast.id)}
      >
        <X aria-hidden size={20} />
      </button>
    </div>
  );
}
