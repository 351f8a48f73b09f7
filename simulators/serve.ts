import { parseArgs } from 'node:util';

import { startPlaidSimulator } from './plaid.ts';
import { PLAID_WORLDS } from './plaid/ready-made.ts';
import { startTellerSimulator } from './teller.ts';

/** Both simulators by hand: `node simulators/serve.ts --world household`. Prints the environment of a server that uses them. */
const { values } = parseArgs({
  options: {
    'plaid-port': { type: 'string', default: '0' },
    'teller-port': { type: 'string', default: '0' },
    world: { type: 'string', default: 'household' },
  },
});
const world = PLAID_WORLDS.find((one) => one === values.world);
if (!world) throw new Error(`--world must be one of ${PLAID_WORLDS.join(', ')}.`);

const plaid = await startPlaidSimulator({ port: Number(values['plaid-port']) });
const teller = await startTellerSimulator({ port: Number(values['teller-port']) });
plaid.control.reset({ world });
teller.control.reset({ world });
const lines = [
  'PLAID_CLIENT_ID=client-sim',
  'PLAID_SECRET=secret-sim',
  `PLAID_BASE_URL=${plaid.url}`,
  `PLAID_LINK_SCRIPT_URL=${plaid.linkScriptUrl}`,
  'TELLER_APPLICATION_ID=app_sim',
  `TELLER_BASE_URL=${teller.url}`,
  `TELLER_CONNECT_SCRIPT_URL=${teller.connectScriptUrl}`,
  'TELLER_WEBHOOK_SECRET=whsec_sim_current,whsec_sim_previous',
];
process.stdout.write(`${lines.join('\n')}\n`);
