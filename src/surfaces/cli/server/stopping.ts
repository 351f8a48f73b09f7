import type { App } from '../../../app.ts';
import { LIMITS } from '../../../kernel/limits.ts';

export interface StopSignal {
  asked: Promise<void>;
  isAsked: () => boolean;
}

/**
 * Asked by SIGTERM, SIGINT, or the end of the terminal. Later signals do nothing, because npm sends each Ctrl-C twice.
 */
export function stopSignal(): StopSignal {
  let isAsked = false;
  const asked = new Promise<void>((resolve) => {
    const ask = (): void => {
      isAsked = true;
      resolve();
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
    // Under nohup, standard input is no terminal, and a listener would undo what it does.
    if (process.stdin.isTTY) process.on('SIGHUP', ask);
  });
  return { asked, isAsked: () => isAsked };
}

/** Closes the app once running requests are done; ends the process if that takes too long. */
export async function closeInTime(app: App, onLate: () => void): Promise<void> {
  const late = setTimeout(() => {
    onLate();
    process.exit(0);
  }, LIMITS.drainMs);
  late.unref();
  await app.close();
  clearTimeout(late);
}
