import { parseArgs } from 'node:util';

import { startLlmSimulator } from './llm.ts';
import { householdReviewer } from './llm/household-reviewer.ts';
import { readScenario } from './llm/scenario.ts';

/** A simulated model by hand: `node simulators/serve-model.ts --scenario slow.json`. Prints the environment of a server that uses it. */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, scenario: { type: 'string' } } });
const scenario = values.scenario === undefined ? undefined : await readScenario(values.scenario);
const model = await startLlmSimulator({ port: Number(values.port), model: householdReviewer });
if (scenario) model.playScenario(scenario);
const lines = [
  'WORKFLOW_MODEL_PROVIDER=openai_compatible',
  `WORKFLOW_MODEL=${scenario?.models?.[0] ?? 'simulated-reviewer'}`,
  `OPENAI_BASE_URL=${model.baseUrl}`,
];
process.stdout.write(`${lines.join('\n')}\n`);
