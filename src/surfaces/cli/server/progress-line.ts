import { elapsedSince, startTimer } from '../../../kernel/clock.ts';
import type { Environment } from '../../../kernel/config.ts';

const QUIET_MS = 1_000;
const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
const USUAL_COLUMNS = 80;

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

/**
 * Progress, once it takes over a second: one line of a terminal that is drawn again and again, or else a line every five
 * seconds.
 */
export function progressLine(
  total: number,
  output: Output,
  { TERM }: Environment,
  elapsed: () => number = timer(),
): { show: (written: number) => void; end: () => void } {
  // A dumb terminal cannot go back to the beginning of a line.
  const isRedrawn = output.isTTY && TERM !== 'dumb';
  let shownAt: number | undefined;
  return {
    show(written) {
      const now = elapsed();
      const every = isRedrawn ? TERMINAL_EVERY_MS : LINE_EVERY_MS;
      if (now < QUIET_MS || (shownAt !== undefined && now - shownAt < every)) return;
      shownAt = now;
      const percent = Math.floor((100 * written) / total);
      const text = `Writing the household: ${percent} %, ${written.toLocaleString('en-US')} transactions`;
      // A line that went on into the next row would stay there.
      const room = (output.columns || USUAL_COLUMNS) - 1;
      output.write(isRedrawn ? `\r${text.slice(0, room)}` : `${text}\n`);
    },
    end() {
      if (isRedrawn && shownAt !== undefined) output.write('\r\u001b[K');
    },
  };
}

function timer(): () => number {
  const started = startTimer();
  return () => elapsedSince(started);
}
