import type { OutputOf } from '../../../src/contract/operation.ts';
import type { listAnnotations } from '../../../src/features/annotations/annotations.contract.ts';
import { getImport } from '../../../src/features/imports/imports.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { PageLinkIfThere } from '../../lib/page-link-if-there.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { Instant } from '../instant.tsx';
import type { TransactionRecord } from './transaction-row.tsx';

export type Entry = OutputOf<typeof listAnnotations>[number];

interface OriginProps {
  record: TransactionRecord;
  /** The first entry of its timeline, once that is there. */
  first: Entry | undefined;
}

/** Where the transaction came from: a file, a sync, or a person. */
export function Origin({ record, first }: OriginProps) {
  const { import_id: file, created_at: at = null } = record;
  if (file) return <FromImport id={file} />;
  const log = first?.payload['sync_log_id'];
  if (first?.kind === 'sync_started' && typeof log === 'string') {
    return (
      <>
        From{' '}
        <PageLink to="/sync-logs/{id}" params={{ id: log }} className={LINK}>
          a sync with the bank
        </PageLink>
        , <Instant at={first.created_at} />
      </>
    );
  }
  if (first?.kind === 'transaction_created') {
    return (
      <>
        Entered by hand by <bdi>{first.actor_name}</bdi>, <Instant at={first.created_at} />
      </>
    );
  }
  return (
    <>
      Stored <Instant at={at} />
    </>
  );
}

function FromImport({ id }: { id: string }) {
  const { data } = useApiQuery(getImport, { params: { id } });
  if (!data) return <>From a file</>;
  const name = <bdi className="wrap-anywhere">{data.file_name ?? 'a file'}</bdi>;
  return (
    <>
      From{' '}
      <PageLinkIfThere to="/imports/{id}" params={{ id: data.short_id }} otherwise={name}>
        {(link) => link(name, LINK)}
      </PageLinkIfThere>
      , imported by <bdi>{data.actor_name}</bdi>, <Instant at={data.created_at} />
    </>
  );
}
