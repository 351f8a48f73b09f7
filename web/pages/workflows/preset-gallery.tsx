import { Plus } from 'lucide-react';
import { useState } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page-header.tsx';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { inDollars } from '../../lib/dollars.ts';
import { SCOPE_WORDS } from '../runs/run-words.ts';
import { EnablePreset } from './enable-preset.tsx';
import { FALLBACK_ICON, ICONS, triggerInWords, type Preset } from './workflow-words.ts';
import { categoryTitle, workflowTitle } from '../../lib/workflow-titles.ts';

/** Ready-made workflows, by what they are for. */
export function PresetGallery({ presets }: { presets: readonly Preset[] }) {
  const [chosen, choose] = useState<Preset | null>(null);
  return (
    <Section title="Ready-made workflows">
      <p className="mb-5 max-w-prose text-muted">
        Each is added once, and can be changed afterwards. Costs are estimates for the models of Anthropic; a model on
        your own machine costs nothing.
      </p>
      {[...Map.groupBy(presets, ({ category }) => category)].map(([category, alike]) => (
        <section key={category} aria-label={categoryTitle(category)} className="mb-6 last:mb-0">
          <h3 className="border-b border-line-strong pb-2 text-sm font-semibold text-muted">
            {categoryTitle(category)}
          </h3>
          <ul className="divide-y divide-line">
            {alike.map((preset) => (
              <li key={preset.slug}>
                <PresetRow preset={preset} onAdd={() => choose(preset)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {chosen !== null && <EnablePreset preset={chosen} onClose={() => choose(null)} />}
    </Section>
  );
}

function PresetRow({ preset, onAdd }: { preset: Preset; onAdd: () => void }) {
  const Icon = ICONS[preset.icon] ?? FALLBACK_ICON;
  const { title, name } = workflowTitle(preset.name);
  return (
    <article
      aria-labelledby={preset.slug}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 py-4 lg:grid-cols-[auto_minmax(0,1fr)_15rem_7rem] lg:gap-x-6"
    >
      <span className="self-start rounded-control bg-accent-soft p-2 text-accent">
        <Icon aria-hidden size={20} />
      </span>
      <div className="min-w-0">
        <h4 className="font-semibold">
          <span id={preset.slug}>{title}</span>
          {name !== undefined && <span className="block text-sm font-normal text-muted sm:ml-2 sm:inline">{name}</span>}
        </h4>
        <p className="max-w-prose text-sm text-muted">{preset.description}</p>
      </div>
      <ul className="col-start-2 text-sm lg:col-start-3">
        <li>{preset.one_off ? 'Once, when you run it' : triggerInWords(preset)}</li>
        <li>{SCOPE_WORDS[preset.tool_scope]}</li>
        <li className="text-muted tabular-nums">About {inDollars(preset.est_cost_per_run_usd)} a run</li>
      </ul>
      <div className="col-start-2 lg:col-start-4 lg:text-right">
        <AddOrOpen preset={preset} title={title} onAdd={onAdd} />
      </div>
    </article>
  );
}

function AddOrOpen({ preset, title, onAdd }: { preset: Preset; title: string; onAdd: () => void }) {
  const right = useReasonAgainst('full_access');
  if (preset.workflow_slug === null) {
    return (
      <Button icon={Plus} aria-label={`Add: ${title}`} disabledReason={right} onClick={onAdd}>
        Add
      </Button>
    );
  }
  return (
    <>
      <PageLink to="/workflows/{slug}" params={{ slug: preset.workflow_slug }} className={LINK_ALONE}>
        Open<span className="sr-only">: {title}</span>
      </PageLink>
      <span className="block text-sm text-muted">
        {preset.workflow_enabled === true ? 'Added, and on.' : 'Added, and paused.'}
      </span>
    </>
  );
}
