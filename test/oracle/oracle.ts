import { LANGUAGES } from '../harness/bank-files/csv-languages.ts';
import { chosenDialect } from './dialect.ts';
import { Choices, chosenTraits, knownLedger } from './known-ledger.ts';
import { rendered } from './render.ts';
import type { RenderedFile } from './render.ts';

const FILES_OF_A_SEED = 1_000_000;

/** The n-th file of a seed: always the same. */
export function oracleFile(seed: number, number: number): RenderedFile {
  const choices = new Choices(seed * FILES_OF_A_SEED + number);
  const traits = chosenTraits(choices, LANGUAGES);
  return rendered(choices, knownLedger(choices, traits), chosenDialect(choices, traits));
}
