import {
  keepPreviousData,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { importFile } from '../../../src/features/imports/imports.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { api, ApiError } from '../../api/client.ts';
import { underOneKey } from '../../api/queries.ts';
import { follow } from './follow-store.ts';
import { takeFromQueue, type Fields, type QueuedFile } from './import-queue.ts';

type Answer = OutputOf<typeof importFile>;
export type Preview = Extract<Answer, { dry_run: true }>;
export type Import = Exclude<Answer, { dry_run: true }>;

/** What an import of the file would do, as far as it is known what the person wants. Nothing is written. */
export function usePreview(
  { id, file, fields }: QueuedFile,
  shown: Pick<Fields, 'limit' | 'outcome'>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<Preview> {
  const body = { ...fields, ...shown, dry_run: true };
  return useQuery({
    queryKey: ['preview of file', id, body],
    queryFn: async ({ signal }) => {
      await refuseUnreadable(file);
      const answer = await api.call(importFile, { body }, { file, signal });
      if (!('dry_run' in answer)) throw new Error('A preview was asked for.');
      return answer;
    },
    enabled,
    placeholderData: keepPreviousData,
    // The file is only sent again when something about it, or in the ledger, has changed.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

const MEBIBYTE = 1_048_576;

/** @throws ApiError, as the server would say it, before anything is sent */
async function refuseUnreadable(file: File): Promise<void> {
  if (file.size > LIMITS.importFileBytes) {
    const most = LIMITS.importFileBytes / MEBIBYTE;
    throw refusal('PAYLOAD_TOO_LARGE', `The file is larger than ${most} MiB. Split it into smaller files.`);
  }
  // A folder, or a file that was moved since it was chosen.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw refusal('INVALID_FILE', 'The browser cannot read it. Choose the file again; a folder cannot be imported.');
    });
}

function refusal(code: 'PAYLOAD_TOO_LARGE' | 'INVALID_FILE', message: string): ApiError {
  return new ApiError(code === 'INVALID_FILE' ? 422 : 413, { error: { code, message } });
}

/** Sends the file for good. The server answers once it has read it, and goes on by itself. */
export function useImport(
  item: QueuedFile,
  onSent?: (accepted: Import) => void,
): UseMutationResult<Import, Error, void> {
  return useMutation({
    mutationFn: () => send(item),
    onSuccess: (accepted) => {
      takeFromQueue(item.id);
      onSent?.(accepted);
    },
  });
}

async function send({ file, fields, accountName, intent }: QueuedFile): Promise<Import> {
  await refuseUnreadable(file);
  const body: Fields = { ...fields, prefer: 'respond-async' };
  const answer = await underOneKey(intent, JSON.stringify(body), (idempotencyKey) =>
    api.call(importFile, { body }, { file, idempotencyKey }),
  );
  if ('dry_run' in answer) throw new Error('An import was asked for.');
  follow({ id: answer.id, fileName: file.name, accountName: accountName.trim() });
  return answer;
}
