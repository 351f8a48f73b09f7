import type { EntityType } from '../../../src/contract/entity-types.ts';
import { getTransaction } from '../../../src/features/transactions/transactions.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { RuleName } from '../rule/rule-name.tsx';
import { TransactionLink } from '../transaction/transaction-link.tsx';
import { nameOf } from '../transaction/transaction-row.tsx';
import { nounOf } from './change-set-words.ts';

interface RecordNameProps {
  type: EntityType;
  id: string | null;
  /** Its name, where it has been said already. */
  known: string | undefined;
}

/** A record by the name that people know; a transaction opens. */
export function RecordName({ type, id, known }: RecordNameProps) {
  if (type === 'rule' && id !== null && known !== undefined) return <RuleName id={id} name={known} />;
  if (type !== 'transaction' || id === null) return <bdi>{known ?? `One ${nounOf(type)}`}</bdi>;
  return (
    <TransactionLink id={id}>
      {known === undefined ? <NameOfTransaction id={id} /> : <bdi>{known}</bdi>}
    </TransactionLink>
  );
}

function NameOfTransaction({ id }: { id: string }) {
  const { data, error } = useApiQuery(getTransaction, { params: { id }, query: { include_deleted: 'true' } });
  if (error !== null) return 'A transaction';
  return data === undefined ? '…' : <bdi>{nameOf(data)}</bdi>;
}
