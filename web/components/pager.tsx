import { ChevronLeft, ChevronRight } from 'lucide-react';

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
