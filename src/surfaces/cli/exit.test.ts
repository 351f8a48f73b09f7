import { expect, test, vi } from 'vitest';

import { AppError, OperatorError } from '../../kernel/errors.ts';
import { EXIT, explainFailure } from './exit.ts';

function said(error: unknown): string {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(explainFailure(error)).toBe(EXIT.failed);
    return String(written.mock.calls[0]?.[0]);
  } finally {
    written.mockRestore();
  }
}

const fromServer = (message: string, code: string): Error => Object.assign(new Error(message), { code });

test('a failed start names the SQLSTATE that the server gave, known or not', () => {
  const refused = fromServer('database "homes" does not exist', '3D000');
  expect(said(refused)).toBe('error: database "homes" does not exist (SQLSTATE 3D000)\n');
  expect(said(fromServer('what is new', 'ZZ9A1'))).toBe('error: what is new (SQLSTATE ZZ9A1)\n');
  const away = new AppError('UNAVAILABLE', 'The database cannot be reached right now.');
  away.cause = fromServer('limit', '53400');
  expect(said(away)).toMatch(/ Check DATABASE_URL.* \(SQLSTATE 53400\)\n$/);
  const stopped = Object.assign(new OperatorError('The migration failed.'), { cause: fromServer('no', '42501') });
  expect(said(stopped)).toBe('error: The migration failed. (SQLSTATE 42501)\n');
  for (const code of ['ECONNREFUSED', 'EPIPE', 'E2BIG'])
    expect(said(fromServer('away', code))).not.toContain('SQLSTATE');
});
