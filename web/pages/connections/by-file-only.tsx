import { FileUp } from 'lucide-react';

import { listImports } from '../../../src/features/imports/imports.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { Facts } from '../../components/definition-list.tsx';
import { Instant } from '../../components/instant.tsx';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inDigits } from '../../lib/numbers.ts';
import { FIGURE_ALONE, PageLink } from '../../lib/page-link.tsx';

const DONE = { status: 'completed' } as const;

/** Instead of the state of syncing, where there is none: no bank is connected, and files are imported. */
export function ByFileOnly() {
  const right = useReasonAgainst('full_access');
  const imports = useApiQuery(listImports, { query: { ...DONE, limit: String(LIMITS.pageMax) } });
  return (
    <Section
      title="No bank is connected"
      actions={
        <ActionLink to="/imports/new" icon={FileUp} disabledReason={right}>
          Import a file
        </ActionLink>
      }
    >
      <p className="mb-4 max-w-prose text-muted">
        Your accounts are kept up to date with bank files. Nothing arrives by itself until a bank is connected.
      </p>
      <Loaded query={imports} lines={2}>
        {({ imports: done, has_more: hasMore }) => (
          <Facts
            items={[
              {
                term: 'Files imported',
                value: (
                  <PageLink to="/imports" search={DONE} className={FIGURE_ALONE}>
                    {inDigits(done.length)}
                    {hasMore && '+'}
                  </PageLink>
                ),
              },
              { term: 'Newest', value: <Instant at={done[0]?.created_at ?? null} never="none" /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
