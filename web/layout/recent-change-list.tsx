import { History } from 'lucide-react';

import { listChangeSets } from '../../src/features/change-sets/change-sets.contract.ts';
import { useApiQuery } from '../api/queries.ts';
import { ChangeSetEntry } from '../components/changes/change-set-entry.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Instant } from '../components/instant.tsx';
import { Loaded } from '../components/skeleton.tsx';
import { LINK, PageLink } from '../lib/page-link.tsx';

const SHOWN = '20';
/** Everything that was not brought by a bank. */
const SOURCES = 'edit,rule,import,link,proposal,revert,system';

export default function RecentChangeList() {
  const query = useApiQuery(listChangeSets, { query: { source: SOURCES, limit: SHOWN } });
  return (
    <Loaded query={query} lines={8}>
      {({ change_sets: sets }) =>
        sets.length === 0 ? (
          <EmptyState icon={History} title="Nothing has changed yet">
            What people, rules, agents and imports change appears here, with the way back.
          </EmptyState>
        ) : (
          <>
            <ul className="-my-3 divide-y divide-line">
              {sets.map((set) => (
                <li key={set.id} className="py-3">
                  <ChangeSetEntry set={set} when={<Instant at={set.created_at} />} />
                </li>
              ))}
            </ul>
            <p className="mt-6">
              <PageLink to="/history" className={LINK}>
                All changes
              </PageLink>
            </p>
          </>
        )
      }
    </Loaded>
  );
}
