import { useNavigate } from '@tanstack/react-router';
import { z } from 'zod';

import { createWorkflow, getWorkflow, listWorkflows } from '../../../src/features/workflows/workflows.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { BackLink } from '../../components/back-link.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { usePageSearch } from '../../lib/page-link.tsx';
import { WorkflowEditor } from './workflow-editor.tsx';
import { newBodyOf, type Workflow } from './workflow-values.ts';

const Search = z.object({ from: z.string() });

/** A new workflow, or with `?from=` a copy of another one. */
export default function NewWorkflowPage() {
  const { from } = usePageSearch(Search);
  return (
    <>
      <BackLink to="/workflows">Workflows</BackLink>
      <PageHeader title="New workflow" lead="It is saved paused. Enable it when you have watched a run." />
      {from === undefined ? <NewWorkflow original={undefined} /> : <CopyOf slug={from} />}
    </>
  );
}

function CopyOf({ slug }: { slug: string }) {
  const original = useApiQuery(getWorkflow, { params: { slug } });
  return (
    <Loaded query={original} lines={10}>
      {(found) => <NewWorkflow original={found} />}
    </Loaded>
  );
}

function NewWorkflow({ original }: { original: Workflow | undefined }) {
  const navigate = useNavigate();
  const create = useApiWrite(createWorkflow, { refreshes: [listWorkflows], undo: 'Workflow created' });
  return (
    <WorkflowEditor
      start={original}
      rename={(name) => (name === '' ? '' : `${name} copy`)}
      submit="Save paused"
      save={async (values) => {
        const made = await create.mutateAsync({ body: newBodyOf(values) });
        await navigate({ to: `/workflows/${made.slug}` });
      }}
    />
  );
}
