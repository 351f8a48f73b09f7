import { Bot, Plus } from 'lucide-react';

import { getWorkflowStatus } from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { listPresets } from '../../../src/features/workflow-presets/workflow-presets.contract.ts';
import { listWorkflows } from '../../../src/features/workflows/workflows.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { ModelState, lackOf } from './model-state.tsx';
import { PresetGallery } from './preset-gallery.tsx';
import { WorkflowCard } from './workflow-card.tsx';
import { isRunning } from './workflow-words.ts';

const LIVE_MS = 2_000;
const IDLE_MS = 30_000;

/** The agents that work for the household: whether they can, which there are, and which could be added. */
export default function WorkflowsPage() {
  const right = useReasonAgainst('full_access');
  const workflows = useApiQuery(
    listWorkflows,
    {},
    { refetchInterval: ({ state: { data } }) => (data?.some(isRunning) === true ? LIVE_MS : IDLE_MS) },
  );
  const isLive = workflows.data?.some(isRunning) === true;
  const status = useApiQuery(getWorkflowStatus, {}, { refetchInterval: isLive ? LIVE_MS : IDLE_MS });
  const presets = useApiQuery(listPresets, {});
  const lack = status.data && lackOf(status.data)?.title;
  return (
    <>
      <PageHeader
        title="Workflows"
        lead="Work that a language model does for the household. What it wants to change waits for your yes, unless you allow more."
        actions={
          <ActionLink to="/workflows/new" look="primary" icon={Plus} disabledReason={right}>
            New workflow
          </ActionLink>
        }
      />
      <Loaded query={status} lines={3}>
        {(found) => <ModelState status={found} />}
      </Loaded>
      <section aria-labelledby="own-workflows" className="mb-6">
        <h2 id="own-workflows" className="mb-3 text-lg font-semibold">
          Your workflows
        </h2>
        <Loaded query={workflows} lines={8}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon={Bot} title="No workflow yet">
                Add a ready-made one below. It begins paused, and you decide on what it proposes.
              </EmptyState>
            ) : (
              <ul className="grid gap-4 xl:grid-cols-2">
                {list.map((workflow) => (
                  <li key={workflow.id}>
                    <WorkflowCard workflow={workflow} lack={lack && `${lack}.`} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      <Loaded query={presets} lines={8}>
        {(list) => <PresetGallery presets={list} />}
      </Loaded>
    </>
  );
}
