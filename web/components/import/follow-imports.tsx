import { useEffect, useRef } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { updateAccount } from '../../../src/features/accounts/accounts.contract.ts';
import { getImport } from '../../../src/features/imports/imports.contract.ts';
import { api, ApiError, messageOf } from '../../api/client.ts';
import { refresh, useApiQuery } from '../../api/queries.ts';
import { counted, inDigits } from '../../lib/numbers.ts';
import { useStore } from '../../lib/store.ts';
import { showToast, showUndo } from '../toast-store.ts';
import { failed, followed, unfollow, type FollowedImport } from './follow-store.ts';
import { isRunning, POLL } from './import-words.ts';

type Import = OutputOf<typeof getImport>;

/** Says when an import that began in this browser has ended, with the way back. */
export default function FollowImports() {
  return useStore(followed).map((one) => <Follow key={one.id} one={one} />);
}

function Follow({ one }: { one: FollowedImport }) {
  const { data, error } = useApiQuery(getImport, { params: { id: one.id } }, POLL);
  const isEnded = useRef(false);
  useEffect(() => {
    // Of another household, or wiped since.
    if (error instanceof ApiError && error.status === 404) unfollow(one.id);
    if (!data || isRunning(data) || isEnded.current) return;
    isEnded.current = true;
    void end(one, data);
  }, [one, data, error]);
  return null;
}

async function end(one: FollowedImport, done: Import): Promise<void> {
  if (done.status === 'failed') {
    const message = done.error?.message ?? 'Nothing was written.';
    failed.set([...failed.get(), { ...one, message }]);
    showToast(`${one.fileName} was not imported.`);
  } else {
    await nameAccount(one, done);
    const text = resultInWords(one, done);
    if (done.change_set_id === null || done.status !== 'completed') showToast(text);
    else showUndo(text, done.change_set_id);
  }
  unfollow(one.id);
  await refresh();
}

/** What cannot be renamed keeps the name of the file, and says why. */
async function nameAccount({ accountName: name }: FollowedImport, { accounts }: Import): Promise<void> {
  const made = accounts.filter(({ created }) => created);
  const id = made.length === 1 ? made[0]?.account_id : null;
  if (name === '' || !id) return;
  await api
    .call(updateAccount, { params: { id }, body: { name } })
    .catch((error: unknown) => showToast(`The account could not be named: ${messageOf(error)}`));
}

function resultInWords(one: FollowedImport, { counts, accounts }: Import): string {
  if (counts.added + counts.updated === 0) return `Nothing new in ${one.fileName}.`;
  const name = one.accountName === '' ? (accounts[0]?.account_name ?? '') : one.accountName;
  const where = accounts.length > 1 ? `${inDigits(accounts.length)} accounts` : name;
  const updated = counts.updated > 0 ? `, ${inDigits(counts.updated)} updated` : '';
  return `${counted(counts.added, 'transaction')} imported into ${where}${updated}.`;
}
