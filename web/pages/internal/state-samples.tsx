import { Inbox, Plus } from 'lucide-react';

import { ApiError } from '../../api/client.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Undone } from '../../components/changes/undone.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { DropArea } from '../../components/import/import-button.tsx';
import { ImportProgress } from '../../components/import/running-import.tsx';
import { Section } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';

const SAMPLE_ERROR = new ApiError(503, {
  error: {
    code: 'UNAVAILABLE',
    message: 'The disk of the database is full. Make room, and try again.',
    request_id: '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10',
  },
});

export function StateSamples() {
  return (
    <>
      <Section title="Banners">
        <Banner title="Keep a copy of the key">Without it, the secrets in the database cannot be read.</Banner>
        <Banner tone="success">The file was imported: 120 rows.</Banner>
        <Banner tone="info" isPlain title="Inside of a card">
          It has no ground of its own.
        </Banner>
        <Banner tone="warning" title="The consent ends in 3 days" actions={<Button>Renew it</Button>} />
        <ErrorBanner error={SAMPLE_ERROR} onRetry={() => undefined} />
      </Section>
      <Section title="States">
        <div className="flex flex-wrap gap-2">
          <Status>Paused</Status>
          <Status tone="info">Running</Status>
          <Status tone="success">Active</Status>
          <Status tone="warning">Needs attention</Status>
          <Status tone="danger">Failed</Status>
          <Undone status="reverted" />
          <Undone status="partly_reverted" />
        </div>
      </Section>
      <Section title="Bank files">
        <ImportProgress
          label="Import of april.csv"
          progress={{ phase: 'writing', done: 1_200, total: 50_000, percent: 2 }}
        />
        <div className="mt-4">
          <DropArea />
        </div>
      </Section>
      <Section title="Loading">
        <Skeleton />
      </Section>
      <EmptyState
        icon={Inbox}
        title="No members yet"
        action={
          <Button look="primary" icon={Plus}>
            Add a member
          </Button>
        }
      >
        Members own accounts, and can sign in once they are invited.
      </EmptyState>
    </>
  );
}
