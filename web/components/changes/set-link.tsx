import { getChangeSet } from '../../../src/features/change-sets/change-sets.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { Undone } from './undone.tsx';

/** Leads to a change set by what it did; where it was undone since, that is said. */
export function SetLink({ id, withState = false }: { id: string; withState?: boolean }) {
  const { data } = useApiQuery(getChangeSet, { params: { id }, query: { limit: '1' } });
  return (
    <>
      <PageLink to="/history/{id}" params={{ id }} className={LINK}>
        {data?.summary ?? 'Open the change'}
      </PageLink>{' '}
      {withState && <Undone status={data?.status} />}
    </>
  );
}
