import type { GuideName } from './guide-text.ts';

/** Each guide is a file of its own until it is opened. */
const FILES: Readonly<Record<GuideName, () => Promise<{ default: string }>>> = {
  'first-steps': () => import('../../../docs/guides/first-steps.md?raw'),
  importing: () => import('../../../docs/guides/importing.md?raw'),
  'moving-in': () => import('../../../docs/guides/moving-in.md?raw'),
  'by-hand': () => import('../../../docs/guides/by-hand.md?raw'),
  connections: () => import('../../../docs/guides/connections.md?raw'),
  rules: () => import('../../../docs/guides/rules.md?raw'),
  workflows: () => import('../../../docs/guides/workflows.md?raw'),
  agents: () => import('../../../docs/guides/agents.md?raw'),
  notifications: () => import('../../../docs/guides/notifications.md?raw'),
  running: () => import('../../../docs/guides/running.md?raw'),
  backups: () => import('../../../docs/guides/backups.md?raw'),
  settings: () => import('../../../docs/reference/settings.md?raw'),
  tools: () => import('../../../docs/reference/tools.md?raw'),
};

export async function loadGuide(name: GuideName): Promise<string> {
  return (await FILES[name]()).default;
}
