import { ENCODING } from '../bytes/encoding.ts';
import { DELIMITER } from '../table/dialect.ts';
import { AMOUNT_MODE } from './amount-mode.ts';
import { CURRENCY } from './currency.ts';
import { DATES_BY_CONTENT } from './date-order-by-content.ts';
import { DECIMAL } from '../columns/decimal.ts';
import { FEE } from './fee.ts';
import type { Question } from '../question.ts';
import { SIGN } from './sign-tests.ts';
import { DATE_ORDER } from './tied-dates.ts';

/** What is asked of a delimited file, in this order. */
export const EVERY_QUESTION: readonly Question<string, never>[] = [
  ENCODING,
  DELIMITER,
  AMOUNT_MODE,
  DATES_BY_CONTENT,
  DATE_ORDER,
  DECIMAL,
  FEE,
  SIGN,
  CURRENCY,
];
