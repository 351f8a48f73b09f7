/** What each role may do, in words. */
export const ROLES = {
  viewer: { label: 'Viewer', hint: 'Can see everything, but not change anything.' },
  editor: { label: 'Editor', hint: 'Can also change accounts, transactions, categories and rules.' },
  admin: { label: 'Admin', hint: 'Can also manage people, API keys and settings.' },
} as const;

export const ROLE_OPTIONS = Object.entries(ROLES).map(([value, { label, hint }]) => ({ value, label, hint }));
