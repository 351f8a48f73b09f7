import { Instant } from '../../components/instant.tsx';
import { Money } from '../../components/money.tsx';
import { ConnectionState, isOwed, Marks, ProofMark, type Detail } from './account-words.tsx';

/** The balance as large as it deserves, and what is known beside it; a line for each further currency. */
export function AccountFacts({ account }: { account: Detail }) {
  const { balances, balance_updated_at: at } = account;
  const [first, ...others] = balances;
  const hasBalance = first !== undefined && first.balance_current !== null;
  return (
    <div className="mb-6">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        {hasBalance && <Figure balance={first} isOwed={isOwed(account)} />}
        <ProofMark account={account} />
        <Marks account={account} />
        <ConnectionState account={account} />
      </div>
      {hasBalance ? (
        <p className="mt-1 text-sm text-muted">
          <Instant at={at} />
          <Beside balance={first} />
        </p>
      ) : (
        <p className="text-muted">No balance is known yet.</p>
      )}
      {others.map((balance) => (
        <p key={balance.iso_currency_code} className="mt-2">
          <Money amount={balance.balance_current ?? '0.00'} currency={balance.iso_currency_code} kind="balance" />
          <span className="text-sm text-muted">
            <Beside balance={balance} />
          </span>
        </p>
      ))}
    </div>
  );
}

type Balance = Detail['balances'][number];

function Figure({ balance, isOwed: isDebt }: { balance: Balance; isOwed: boolean }) {
  return (
    <p className="font-serif text-3xl font-semibold tracking-tight">
      <Money amount={balance.balance_current ?? '0.00'} currency={balance.iso_currency_code} kind="balance" />
      {isDebt && <span className="ml-2 font-sans text-base font-normal tracking-normal text-muted">owed</span>}
    </p>
  );
}

function Beside({ balance }: { balance: Balance }) {
  const { balance_available: available, balance_limit: limit, iso_currency_code: currency } = balance;
  return (
    <>
      {available !== null && (
        <>
          {' · '}
          <Money amount={available} currency={currency} kind="balance" /> available
        </>
      )}
      {limit !== null && (
        <>
          {' · limit '}
          <Money amount={limit} currency={currency} kind="balance" />
        </>
      )}
    </>
  );
}
