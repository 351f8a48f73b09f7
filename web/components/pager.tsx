import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';

import { Button } from './button.tsx';

interface PagerProps {
  /** What is paged through: "change sets". */
  label: string;
  hasPrevious: boolean;
  hasNext: boolean;
  busy?: boolean;
  onPrevious: () => void;
  onNext: () => void;
}

/** Pages through a list by its cursors: `cursor` is that of the page to ask for, `pagerOf` the state of its pager. */
export function useCursors() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const pagerOf = ({ has_more: hasNext, next_cursor: next }: { has_more: boolean; next_cursor: string }) => ({
    hasPrevious: cursors.length > 0,
    hasNext,
    onPrevious: () => setCursors(cursors.slice(0, -1)),
    onNext: () => setCursors([...cursors, next]),
  });
  return { cursor: cursors.at(-1), pagerOf };
}

export function Pager({ label, hasPrevious, hasNext, busy = false, onPrevious, onNext }: PagerProps) {
  if (!hasPrevious && !hasNext) return null;
  return (
    <nav aria-label={`Pages of ${label}`} className="mt-4 flex justify-between gap-3">
      <Button
        icon={ChevronLeft}
        busy={busy}
        disabledReason={hasPrevious ? undefined : 'This is the first page.'}
        onClick={onPrevious}
      >
        Previous
      </Button>
      <Button
        icon={ChevronRight}
        busy={busy}
        disabledReason={hasNext ? undefined : 'This is the last page.'}
        onClick={onNext}
      >
        Next
      </Button>
    </nav>
  );
}
