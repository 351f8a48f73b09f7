import { createStore } from '../lib/store.ts';

/** What would be left with what was entered in it. */
export type Left = 'page' | 'dialog' | 'secret';

interface Question {
  about: Left;
  answer: (leave: boolean) => void;
}

/** The dialog that asks is open while there is a question. */
export const question = createStore<Question | undefined>(undefined);

/** Resolves with true when what was entered may be lost. */
export function confirmLeaving(about: Left): Promise<boolean> {
  question.get()?.answer(false);
  return new Promise((resolve) => {
    question.set({
      about,
      answer: (leave) => {
        question.set(undefined);
        resolve(leave);
      },
    });
  });
}
