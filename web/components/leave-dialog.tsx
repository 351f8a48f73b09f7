import { useStore } from '../lib/store.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { question } from './leave-store.ts';

const WORDS = {
  page: { title: 'Leave without saving?', text: 'What you entered on this page is not saved.', action: 'Leave' },
  dialog: { title: 'Close without saving?', text: 'What you entered here is not saved.', action: 'Close' },
  secret: { title: 'Leave without saving it?', text: 'It is shown only this once.', action: 'Leave' },
} as const;

/** Rendered once, by the app. */
export function LeaveDialog() {
  const asked = useStore(question);
  const { title, text, action } = WORDS[asked?.about ?? 'page'];
  return (
    <Dialog open={asked !== undefined} onClose={() => asked?.answer(false)} title={title}>
      <p className="text-muted">{text}</p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={() => asked?.answer(false)}>Stay</Button>
        <Button look="danger" onClick={() => asked?.answer(true)}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
