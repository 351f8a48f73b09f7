import { Plus } from 'lucide-react';
import { useState } from 'react';

import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page-header.tsx';
import { LINK, PageLink } from '../../lib/page-link.tsx';
import { inDollars } from '../../lib/dollars.ts';
import { SCOPE_WORDS } from '../runs/run-words.ts';
import { EnablePreset } from './enable-preset.tsx';
import { FALLBACK_ICON, ICONS, triggerInWords, type Preset } from './workflow-words.ts';

/** Ready-made workflows, by what they are for. */
export function PresetGallery({ presets }: { presets: readonly Preset[] }) {
  const [chosen, choose] = useState<Preset | null>(null);
  return (
    <Section title="Ready-made workflows">
      <p className="mb-4 text-muted">
        Each is added once, and can be changed afterwards. Costs are estimates for the models of Anthropic; a model on
        your own machine costs nothing.
      </p>
      {[...Map.groupBy(presets, ({ category }) => category)].map(([category, alike]) => (
        <section key={category} aria-label={category} className="mb-6 last:mb-0">
          <h3 className="mb-3 font-semibold text-muted">{category}</h3>
          <ul className="grid gap-4 md:grid-cols-2">
            {alike.map((preset) => (
              <li key={preset.slug}>
                <PresetCard preset={preset} onAdd={() => choose(preset)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {chosen !== null && <EnablePreset preset={chosen} onClose={() => choose(null)} />}
    </Section>
  );
}

function PresetCard({ preset, onAdd }: { preset: Preset; onAdd: () => void }) {
  const right = useReasonAgainst('full_access');
  const Icon = ICONS[preset.icon] ?? FALLBACK_ICON;
  return (
    <article aria-labelledby={preset.slug} className="flex h-full flex-col rounded-card border border-line p-4">
      <div className="mb-2 flex items-start gap-3">
        <span className="rounded-control bg-accent-soft p-2 text-accent">
          <Icon aria-hidden size={20} />
        </span>
        <div className="min-w-0">
          <h4 id={preset.slug} className="font-semibold">
            {preset.name}
          </h4>
          <p className="text-sm text-muted">{preset.description}</p>
        </div>
      </div>
      <ul className="mb-4 flex-1 list-disc space-y-0.5 pl-5 text-sm">
        <li>{preset.one_off ? 'Once, when you run it' : triggerInWords(preset)}</li>
        <li>{SCOPE_WORDS[preset.tool_scope]}</li>
        <li>About {inDollars(preset.est_cost_per_run_usd)} a run</li>
      </ul>
      {preset.workflow_slug === null ? (
        <div>
          <Button icon={Plus} aria-label={`Add: ${preset.name}`} disabledReason={right} onClick={onAdd}>
            Add
          </Button>
        </div>
      ) : (
        <p className="flex min-h-10 items-center gap-2 text-sm">
          <span className="text-muted">
            {preset.workflow_enabled === true ? 'Added, and on.' : 'Added, and paused.'}
          </span>
          <PageLink to="/workflows/{slug}" params={{ slug: preset.workflow_slug }} className={LINK}>
            Open<span className="sr-only"> {preset.name}</span>
          </PageLink>
        </p>
      )}
    </article>
  );
}
