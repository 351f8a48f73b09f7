import { useId } from 'react';

import { changeQueued, type QueuedFile } from './import-queue.ts';
import type { Preview } from './use-preview.ts';

const WITHOUT_FILE_NAME = 'CSV Import';

/** Whether a new account would be called like the file, which says nothing to people. */
export function isNamedByFile({ accounts }: Preview, fileName: string): boolean {
  const made = accounts.find(({ created }) => created);
  if (made?.file_value !== null) return false;
  const name = made.account_name.replace(/ \d+$/, '');
  return [fileName.replace(/\.[^.]*$/, '').trim(), WITHOUT_FILE_NAME].some(
    (one) => one === made.account_name || one === name,
  );
}

/** What people call a new account. */
export function AccountName({ item, preview }: { item: QueuedFile; preview: Preview }) {
  const id = useId();
  const name = preview.accounts.find(({ created }) => created)?.account_name ?? '';
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        What do you call this account?
      </label>
      <input
        id={id}
        className="field target"
        value={item.accountName}
        maxLength={200}
        placeholder="Bank and last four digits"
        aria-describedby={`${id}-hint`}
        autoComplete="off"
        data-may-be-lost
        onChange={({ currentTarget: { value } }) => changeQueued(item.id, { accountName: value })}
      />
      <p id={`${id}-hint`} className="mt-1 text-sm text-muted wrap-anywhere">
        The file does not say. Without a name it is called “{name}”.
      </p>
    </div>
  );
}
