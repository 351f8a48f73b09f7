import { AppError } from '../../kernel/errors.ts';
import { bareProof } from './ledger-proof.ts';
import type { ReadFile } from './read-file.ts';

/** @throws the first thing that stops an import (36.15); a broken proof is shown with it. */
export function refuse(file: ReadFile): void {
  const [first] = file.refusals;
  if (!first) return;
  if (first.code !== 'BALANCE_MISMATCH') throw first;
  throw new AppError(first.code, first.message, {
    ...first.extra,
    members: { ...first.extra.members, balance_proof: bareProof(file) },
  });
}
