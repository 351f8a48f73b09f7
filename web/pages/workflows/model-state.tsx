import type { OutputOf } from '../../../src/contract/operation.ts';
import type { getWorkflowStatus } from '../../../src/features/workflow-settings/workflow-settings.contract.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';
import { Section } from '../../components/page-header.tsx';
import { Status, type StatusTone } from '../../components/status.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { inDollars } from '../../lib/dollars.ts';

export type WorkflowStatus = OutputOf<typeof getWorkflowStatus>;

const PROVIDERS = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  openai_compatible: 'a server of your own choice',
} as const;
const WARN_FROM = 0.8;

/** Whether workflows can run, or what is missing; and what they have spent. */
export function ModelState({ status }: { status: WorkflowStatus }) {
  const lack = lackOf(status);
  return (
    <>
      {lack !== undefined && (
        <Banner tone="warning" title={lack.title}>
          <p>
            {lack.advice} <SettingsLink />
          </p>
        </Banner>
      )}
      <Section title="Model and spending">
        {lack === undefined && status.provider !== null && (
          <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
            <Status tone="success">Ready</Status>
            <span className="wrap-anywhere">
              Models of {PROVIDERS[status.provider]}: {namesOf(status)}.
            </span>
          </p>
        )}
        <Spending status={status} />
      </Section>
    </>
  );
}

/** What keeps workflows from running; undefined if nothing does. */
export function lackOf(status: WorkflowStatus): { title: string; advice: string } | undefined {
  if (!status.enabled) {
    return { title: 'Workflows are switched off', advice: 'Nothing runs until they are switched on again.' };
  }
  if (status.provider === null) {
    return { title: 'No model is chosen', advice: 'Workflows need a model: from a provider, or on your own machine.' };
  }
  if (!status.auth_configured) {
    return { title: 'The key of the model provider is missing', advice: 'Workflows cannot run without it.' };
  }
  if (status.ready) return undefined;
  return { title: 'The model cannot be used yet', advice: 'A name, an address or a price is missing.' };
}

function SettingsLink() {
  const right = useReasonAgainst('admin');
  if (right !== undefined) return <>Ask an admin of the household.</>;
  return (
    <PageLink to="/settings/models" className={LINK}>
      Open the settings of models
    </PageLink>
  );
}

function namesOf({ models }: WorkflowStatus): string {
  const names = [...new Set(Object.values(models))].filter((name) => name !== null);
  return names.join(', ');
}

function Spending({ status }: { status: WorkflowStatus }) {
  const { spent_30d_usd: spent, reserved_usd: reserved, global_max_budget_usd: ceiling } = status;
  if (ceiling === null) {
    return <p>{inDollars(spent)} spent in the last 30 days. The household has set no ceiling.</p>;
  }
  const used = spent + reserved;
  const share = ceiling === 0 ? 1 : Math.min(used / ceiling, 1);
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p id="spending">
          {inDollars(spent)} of {inDollars(ceiling)} spent in the last 30 days
          {reserved > 0 && `, and ${inDollars(reserved)} reserved by runs in progress`}
        </p>
        {share >= WARN_FROM && (
          <Status tone={share >= 1 ? 'danger' : 'warning'}>
            {share >= 1 ? 'Nothing is left' : `${Math.floor(share * 100)} % is used`}
          </Status>
        )}
      </div>
      <Meter
        share={share}
        labelledBy="spending"
        tone={share >= 1 ? 'danger' : share >= WARN_FROM ? 'warning' : 'success'}
      />
      {share >= 1 && (
        <p className="mt-2 text-sm text-muted">
          No run starts until older costs are more than 30 days old, or the ceiling is raised.
        </p>
      )}
    </>
  );
}

const FILLS: Readonly<Partial<Record<StatusTone, string>>> = {
  success: 'fill-accent',
  warning: 'fill-warning',
  danger: 'fill-danger',
};

function Meter({ share, labelledBy, tone }: { share: number; labelledBy: string; tone: StatusTone }) {
  const percent = Math.round(share * 100);
  return (
    <div
      role="meter"
      aria-labelledby={labelledBy}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent} %`}
      className="overflow-hidden rounded-full bg-sunken"
    >
      <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="block h-2.5 w-full">
        <rect width={percent} height={1} className={FILLS[tone]} />
      </svg>
    </div>
  );
}
