/** What the ready-made workflows do for a household, in the words of somebody who has never heard of agents. */
const TITLES: Readonly<Record<string, string>> = {
  'Rule Foundation': 'Write the first rules',
  'Bulk Catch-Up': 'Clear a large backlog quickly',
  'Series Foundation': 'Find subscriptions, bills and loans',
  'Counterparty Foundation': 'Give merchants their real names',
  'Routine Reviewer': 'File what is new',
  'Transaction Reviewer': 'File what is new one by one',
  'Backlog Closer': 'Catch up on old transactions',
  'Series Curator': 'Keep subscriptions and bills up to date',
  'Counterparty Curator': 'Keep merchants tidy',
  'Weekly Money Digest': 'Report on the past week',
  'Monthly Close': 'Report on the past month',
  'Large Charge Sentinel': 'Warn about unusual charges',
};

const CATEGORIES: Readonly<Record<string, string>> = {
  'Setup & Bulk': 'To begin with, once',
  'Categorization & Review': 'Filing transactions',
  Enrichment: 'Subscriptions and merchants',
  'Insights & Reports': 'Reports to read',
  'Alerts & Anomalies': 'Warnings',
};

/** What a workflow does, and its name where that is something else. One that was renamed goes by its own name. */
export function workflowTitle(name: string): { title: string; name?: string } {
  const title = TITLES[name];
  return title === undefined ? { title: name } : { title, name };
}

export function categoryTitle(category: string): string {
  return CATEGORIES[category] ?? category;
}
