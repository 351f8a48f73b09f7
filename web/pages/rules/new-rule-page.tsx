import { lazy, Suspense } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { z } from 'zod';

import { BackLink } from '../../components/back-link.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { readStart } from '../../lib/new-rule.ts';
import { usePageSearch } from '../../lib/page-link.tsx';
// Read while the page is, and not a part of it: other pages show it as well.
const code = import('./editor/rule-editor.tsx');
const RuleEditor = lazy(() => code);

const Search = z.object({ start: z.string() });

/** A new rule, or with `?start=` one that begins with what another page knows. */
export default function NewRulePage() {
  const { start } = usePageSearch(Search);
  const navigate = useNavigate();
  return (
    <>
      <BackLink to="/rules">Rules</BackLink>
      <PageHeader title="New rule" lead="When a transaction looks like this, do that." />
      <Suspense fallback={<Skeleton lines={10} />}>
        <RuleEditor
          key={start}
          start={readStart(start)}
          onDone={({ short_id: id }) =>
            void navigate({ to: '/rules/$id', params: { id }, ignoreBlocker: true } as never)
          }
          onCancel={() => void navigate({ to: '/rules' } as never)}
        />
      </Suspense>
    </>
  );
}
