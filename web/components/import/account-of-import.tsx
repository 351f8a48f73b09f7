import { useAccounts } from '../../api/lists.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import type { ImportSummary } from './import-words.ts';

type Account = ImportSummary['accounts'][number];

/** An account that a file went to, by the name that it has now; the record keeps the one that it had then. */
export function AccountOfImport({ account: { account_id: id, account_name: then } }: { account: Account }) {
  const now = useAccounts()?.find((one) => one.id === id);
  const name = <bdi>{now?.display_name ?? now?.name ?? then}</bdi>;
  if (id === null) return name;
  return (
    <PageLink to="/accounts/{id}" params={{ id }} className={LINK}>
      {name}
    </PageLink>
  );
}
