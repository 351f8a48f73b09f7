/** What a household reads in the dashboard, by the name of its file. */
export const GUIDES = {
  'first-steps': 'First steps',
  importing: 'Importing bank files',
  'moving-in': 'Moving in from another app',
  'by-hand': 'Accounts by hand',
  connections: 'Connecting banks',
  rules: 'Rules',
  workflows: 'Workflows',
  agents: 'Agents',
  notifications: 'Notifications',
  running: 'Running it for good',
  backups: 'Keeping a copy',
  settings: 'All settings',
  tools: 'The tools of agents',
} as const;

export type GuideName = keyof typeof GUIDES;

export function isGuide(name: string): name is GuideName {
  return Object.hasOwn(GUIDES, name);
}

const LINK_TO_FILE = /\[([^\]]+)\]\((?:[\w./-]*\/)?([\w-]+)\.md(?:#[\w-]*)?\)/g;

/** A guide without its title, whose links lead to pages of Help: a file is called by the title of its guide. */
export function forHelp(markdown: string): string {
  return markdown.replace(/^# .*\n+/, '').replaceAll(LINK_TO_FILE, (_link, text: string, name: string) => {
    if (!isGuide(name)) return text;
    return `[${text.endsWith('.md') ? GUIDES[name] : text}](/help/${name})`;
  });
}
