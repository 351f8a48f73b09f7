import type { App } from '../../../app.ts';
import { LIMITS } from '../../../kernel/limits.ts';

export interface StopSignal {
  asked: Promise<void>;
  isAsked: () => boolean;
}

/** Asked by SIGTERM or SIGINT; later ones change nothing, because npm passes each Ctrl-C on a second time. */
export function stopSignal(): StopSignal {
  let isAsked = false;
  const asked = new Promise<void>((resolve) => {
    const ask = (): void => {
      isAsked = true;
      resolve();
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
  });
  return { asked, isAsked: () => isAsked };
}

/** Finishes running requests and closes; ends the process when that takes too long. */
export async function closeInTime(app: App, onLate: () => void): Promise<void> {
  const late = setTimeout(() => {
    onLate();
    process.exit(0);
  }, LIMITS.drainMs);
  late.unref();
  await app.close();
  clearTimeout(late);
}
