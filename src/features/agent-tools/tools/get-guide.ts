import { z } from 'zod';

import { Sentence } from '../../../contract/common.ts';
import { readAgentSettings } from '../../agent-calls/index.ts';
import { GUIDES, guideText } from '../guides/guides.ts';
import { defineReadTool } from '../tool.ts';

export const getGuide = defineReadTool({
  name: 'get_guide',
  title: 'Read a guide',
  description:
    'How this household wants things done. overview: the data, and which calls answer which question; rules: every ' +
    'field, operator and action of rules, with examples; review: how to work through the review queue; reports: how ' +
    'to write for people.',
  scope: 'read_only',
  input: { topic: z.enum(GUIDES) },
  output: { topic: z.enum(GUIDES), markdown: Sentence },
  operations: [],
  examples: [{ arguments: { topic: 'rules' }, says: 'What can a rule look at, and what can it do?' }],
  run: async ({ tx }, { topic }) => ({ topic, markdown: await guideText(topic, await readAgentSettings(tx)) }),
});
