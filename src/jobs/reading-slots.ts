import { AppError } from '../kernel/errors.ts';

/** Limits how many uploads are read at once, and refuses more: each holds a whole file in memory. */
interface ReadingSlots {
  /** The result frees the slot; calling it again does nothing. @throws UNAVAILABLE */
  enter(): () => void;
}

export function createReadingSlots(size: number): ReadingSlots {
  let taken = 0;
  return {
    enter() {
      if (taken >= size) {
        throw new AppError('UNAVAILABLE', 'Too many files are being read. Try again in a moment.', {
          headers: { 'retry-after': '2' },
        });
      }
      taken += 1;
      let isIn = true;
      return () => {
        if (isIn) taken -= 1;
        isIn = false;
      };
    },
  };
}
