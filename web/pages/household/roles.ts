/** What each role may do, in words. */
export const ROLES = {
  viewer: { label: 'Viewer', hint: 'Sees everything, changes nothing.' },
  editor: { label: 'Editor', hint: 'Changes accounts, transactions, categories and rules.' },
  admin: { label: 'Administrator', hint: 'Also manages people, keys and settings.' },
} as const;

export const ROLE_OPTIONS = Object.entries(ROLES).map(([value, { label, hint }]) => ({ value, label, hint }));
