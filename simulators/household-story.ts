import type { App } from '../src/app.ts';
import type { DateOnly } from '../src/kernel/dates.ts';
import type { DemoBanks } from './demo-banks.ts';
import type { DemoModel } from './demo-model.ts';
import type { Household, HouseholdTransaction } from './household.ts';
import {
  connectAnAgent,
  reportByAgent,
  proposeByAgent,
  runWorkflows,
  sendToThePhone,
} from './household-story/agents.ts';
import type { BankFile } from './household-story/bank-files.ts';
import { linkBensCard } from './household-story/card-of-ben.ts';
import {
  applyRules,
  importByMistake,
  importFile,
  inviteRosa,
  keepAWallet,
  lookThrough,
  setUpRules,
  talkItOver,
  tidyUp,
} from './household-story/filing.ts';
import { setStage } from './household-story/stage.ts';
import type { StoryClock } from './household-story/story-clock.ts';

export { withFiles } from './household-story/bank-files.ts';
export { createStoryClock } from './household-story/story-clock.ts';

/** When the household begins to keep its books here, in days before its last one. */
export const STORY_DAYS = 75;

export interface Story {
  /** Runs everything in this thread, by `clock`. */
  app: App;
  clock: StoryClock;
  until: DateOnly;
  household: Household;
  /** What the banks remember of the household's rows. */
  rows: readonly HouseholdTransaction[];
  files: readonly BankFile[];
  banks: DemoBanks;
  model: DemoModel;
  phoneUrl: string;
  /** Connects the household to its banks, whose first syncs are left to the server. */
  openBanks: () => Promise<void>;
}

/**
 * What the household did in the last ten weeks, through the doors that people, banks and agents use: so that a demo has
 * something on each of its pages. The same household leads the same life.
 */
export async function tellStory({ app, clock, until, ...story }: Story): Promise<void> {
  const stage = await setStage(app, clock, until);
  const [first, second, third] = story.files;
  const importAt = async (daysAgo: number, file: BankFile | undefined): Promise<void> => {
    stage.at(daysAgo, '18:40');
    if (file) await importFile(stage, file);
  };
  await setUpRules(stage);
  await tidyUp(stage);
  await importAt(59, first);
  await keepAWallet(stage);
  await importByMistake(stage);
  await importAt(29, second);
  await lookThrough(stage);
  const agentKey = await connectAnAgent(stage);
  const card = story.household.accounts.find(({ type }) => type === 'credit');
  if (card) await linkBensCard(stage, story.banks, { rows: story.rows, account: card });
  await sendToThePhone(stage, story.phoneUrl);
  await talkItOver(stage);
  await runWorkflows(stage, story.model);
  await reportByAgent(stage, agentKey);
  stage.at(0, '06:30');
  await story.openBanks();
  await inviteRosa(stage);
  await importAt(0, third);
  await applyRules(stage);
  await proposeByAgent(stage, agentKey);
  await stage.work();
}
