import { useAccounts, useMembers } from '../../api/lists.ts';
import { useSession } from '../../api/session.ts';
import { freeName } from '../../components/import/answers.ts';
import { AccountName } from '../../components/import/account-name.tsx';
import type { Fields } from '../../components/import/import-queue.ts';
import type { Preview } from '../../components/import/use-preview.ts';
import { Section } from '../../components/page-header.tsx';
import { counted } from '../../lib/numbers.ts';
import { Choice } from './choice.tsx';
import { TYPE_OPTIONS } from '../accounts/account-words.tsx';
import type { PartProps } from './new-import.tsx';

const NEW = 'new';

/** The account that the rows go to, found by the file or chosen; and what a new one is. */
export function Target(part: PartProps) {
  const { preview } = part;
  const isSeveral = preview.accounts.length > 1 || preview.accounts.some(({ file_value: value }) => value !== null);
  return (
    <Section title={isSeveral ? 'Accounts' : 'Account'}>
      {isSeveral ? (
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {preview.accounts.map((account) => (
            <OneOfSeveral key={account.file_value} {...part} account={account} />
          ))}
        </div>
      ) : (
        <OnlyAccount {...part} />
      )}
      {preview.accounts.some(({ created }) => created) && <Owner {...part} />}
    </Section>
  );
}

function OnlyAccount({ item, preview, change }: PartProps) {
  const options = useAccountOptions();
  const [account] = preview.accounts;
  const { fields } = item;
  const isNew = account?.created === true;
  const chosen = fields.account_id ?? (fields.account_name === undefined ? undefined : NEW);
  const choose = (value: string | undefined): void =>
    change({
      account_id: value === NEW ? undefined : value,
      // A name that no account has: a known one would choose its account (36.4).
      account_name:
        value === NEW && !isNew
          ? freeName(
              options.map(({ label }) => label),
              item.file.name,
            )
          : undefined,
      account_type: undefined,
      user_id: undefined,
    });
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      <Choice
        label="Where the rows go"
        value={chosen}
        none={
          isNew && fields.account_name === undefined ? `New: ${account.account_name}` : foundInWords(account, chosen)
        }
        options={[
          ...(isNew && fields.account_name === undefined ? [] : [{ value: NEW, label: 'A new account' }]),
          ...options,
        ]}
        note={whyInWords(preview, chosen)}
        onChange={choose}
      />
      {isNew && <NewOne item={item} preview={preview} change={change} />}
    </div>
  );
}

function foundInWords(account: Preview['accounts'][number] | undefined, chosen: string | undefined): string {
  return chosen === undefined && account ? account.account_name : 'As the file says';
}

const WHY: Readonly<Record<string, string>> = {
  given: 'You chose it.',
  proved: 'Its balances continue this file.',
  certain: 'The file shows it.',
  assumed: 'Earlier files with these columns went there, and nothing speaks against it.',
  ambiguous: 'Several accounts are possible.',
  none: 'No account is like this file.',
};

function whyInWords({ detection: { account } }: Preview, chosen: string | undefined): string {
  if (chosen !== undefined) return 'You chose it.';
  if (account.evidence.includes('ledger_overlap')) return 'It already has transactions of this file.';
  if (account.evidence.includes('balance_proof')) return 'The balances of the file continue those of the account.';
  return WHY[account.confidence] ?? 'The file shows it.';
}

function NewOne({ item, preview, change }: PartProps) {
  return (
    <>
      <AccountName item={item} preview={preview} />
      <Choice
        label="What kind of account"
        value={item.fields.account_type}
        none="As the file says"
        options={TYPE_OPTIONS}
        onChange={(value) => change({ account_type: value })}
      />
    </>
  );
}

/** A value of the file's account column. */
function OneOfSeveral({ item, change, account }: PartProps & { account: Preview['accounts'][number] }) {
  const options = useAccountOptions();
  const value = account.file_value ?? '';
  const chosen = item.fields.accounts?.[value];
  const others = Object.fromEntries(Object.entries(item.fields.accounts ?? {}).filter(([one]) => one !== value));
  const say = (choice: AccountChoice | undefined): void =>
    change({ accounts: choice === undefined ? others : { ...others, [value]: choice } });
  const names = options.map(({ label }) => label);
  return (
    <Choice
      label={value === '' ? 'Rows without an account' : value}
      value={chosen === undefined ? undefined : chosen === null ? LEFT_OUT : typeof chosen === 'string' ? chosen : NEW}
      none={
        chosen === undefined
          ? account.created
            ? `New: ${account.account_name}`
            : account.account_name
          : 'As the file says'
      }
      options={[{ value: NEW, label: 'A new account' }, { value: LEFT_OUT, label: 'Leave these rows out' }, ...options]}
      note={counted(account.row_count, 'row')}
      onChange={(one) =>
        say(
          one === undefined
            ? undefined
            : one === LEFT_OUT
              ? null
              : one === NEW
                ? { name: freeName(names, value) }
                : one,
        )
      }
    />
  );
}

const LEFT_OUT = 'none';
type AccountChoice = NonNullable<Fields['accounts']>[string];

function Owner({ item, change }: PartProps) {
  const own = useSession().data?.user?.short_id;
  const members = useMembers() ?? [];
  if (members.length < 2) return null;
  return (
    <div className="mt-4 max-w-sm">
      <Choice
        label="Whose account is it?"
        value={item.fields.user_id ?? own}
        {...(item.fields.user_id === undefined && own === undefined ? { none: 'Choose a member' } : {})}
        options={members.map(({ short_id: value, name: label }) => ({ value, label }))}
        onChange={(value) => change({ user_id: value })}
      />
    </div>
  );
}

function useAccountOptions(): { value: string; label: string }[] {
  return (useAccounts() ?? []).map(({ id, display_name: own, name, mask }) => {
    const label = own ?? name ?? '';
    return { value: id, label: typeof mask === 'string' && !label.endsWith(mask) ? `${label} …${mask}` : label };
  });
}
