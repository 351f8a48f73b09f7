import history from '../../../docs/pictures/history.webp';
import importing from '../../../docs/pictures/import.webp';
import phone from '../../../docs/pictures/phone.webp';
import review from '../../../docs/pictures/review.webp';
import rules from '../../../docs/pictures/rules.webp';

/** A picture of a page of the demo, as `npm run pictures` takes them. */
export interface HelpPicture {
  url: string;
  alt: string;
  width: number;
  height: number;
}

const WIDE = { width: 1200, height: 800 };

export const PICTURES = {
  importing: {
    url: importing,
    alt: 'A file that was dropped: “Berlin account: 6 new, 0 known, adds up to the bank’s balance”, with the button Import 6 rows.',
    ...WIDE,
  },
  review: {
    url: review,
    alt: 'Review: groups of new transactions, the first one open with Right, Change, Rule too, Skip and Rows.',
    ...WIDE,
  },
  rules: {
    url: rules,
    alt: 'Rules in the order in which they run, each as a sentence, with how often it matched.',
    ...WIDE,
  },
  history: {
    url: history,
    alt: 'History: what each person, agent and bank did, by day, with Undo beside it.',
    ...WIDE,
  },
  phone: { url: phone, alt: 'Review on a phone: one group, with large buttons.', width: 390, height: 780 },
} as const satisfies Readonly<Record<string, HelpPicture>>;
