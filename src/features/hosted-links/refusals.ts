import { AppError } from '../../kernel/errors.ts';

export function nothingToRenew(): AppError {
  return new AppError('CONFLICT', 'This connection is updated from bank files, so it has no login to renew.');
}

export function disconnected(): AppError {
  return new AppError(
    'CONNECTION_DISCONNECTED',
    'This connection was disconnected. Link the bank again; its accounts and history will continue.',
  );
}

export function unreadable(): AppError {
  return new AppError(
    'CONFLICT',
    'The stored access to this bank cannot be decrypted. Restore the encryption key, or disconnect and link the bank ' +
      'again; accounts and history are kept.',
  );
}
