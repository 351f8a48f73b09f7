import { createStore, useStore } from '../lib/store.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type Answer = (leave: boolean) => void;

/** What the dialog answers; it is open while there is one. */
const answer = createStore<Answer | undefined>(undefined);

/** Resolves with true when the changes may be lost. */
export function confirmLeaving(): Promise<boolean> {
  answer.get()?.(false);
  return new Promise((resolve) => {
    answer.set((leave) => {
      answer.set(undefined);
      resolve(leave);
    });
  });
}

/** Rendered once, by the app. */
export function LeaveDialog() {
  const reply = useStore(answer);
  return (
    <Dialog open={reply !== undefined} onClose={() => reply?.(false)} title="Leave without saving?">
      <p className="text-muted">What you entered on this page is not saved.</p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={() => reply?.(false)}>Stay</Button>
        <Button look="danger" onClick={() => reply?.(true)}>
          Leave
        </Button>
      </div>
    </Dialog>
  );
}
