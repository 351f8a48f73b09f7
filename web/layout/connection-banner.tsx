import { WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';

import { askServer, isConnected as connected } from '../api/connection.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { useStore } from '../lib/store.ts';

/** While the server cannot be reached; everything entered stays where it is. */
export function ConnectionBanner() {
  const isConnected = useStore(connected);
  const wasLost = useRef(false);
  useEffect(() => {
    if (isConnected && wasLost.current) void refresh();
    wasLost.current = !isConnected;
  }, [isConnected]);
  return (
    <div role="alert" className="sticky top-0 z-30 empty:hidden print:hidden">
      {!isConnected && (
        <div className="flex flex-wrap items-center gap-3 bg-warning-soft px-4 py-2 text-ink sm:px-8">
          <WifiOff aria-hidden size={20} className="shrink-0 text-warning" />
          <p className="min-w-0 flex-1">Cannot reach Homeledger. What you entered is kept.</p>
          <Button onClick={askServer}>Try now</Button>
        </div>
      )}
    </div>
  );
}
