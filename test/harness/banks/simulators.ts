import { afterAll, beforeAll, beforeEach } from 'vitest';

import { startPlaidSimulator, type PlaidSimulator } from '../../../simulators/plaid.ts';
import { startTellerSimulator, type TellerSimulator, type TellerSimulatorOptions } from '../../../simulators/teller.ts';
import { TEST_START } from '../test-app.ts';

export interface Simulators {
  plaid: PlaidSimulator;
  teller: TellerSimulator;
  /** The environment of an app whose providers are these simulators. */
  env: Readonly<Record<string, string>>;
}

export interface SimulatorsOptions {
  teller?: TellerSimulatorOptions;
  /** The tests of the file tell one story in one world, which is not emptied between them. */
  isOneWorld?: boolean;
}

/**
 * Starts both simulators for the tests of a file or block. Before each test their worlds are empty again and their
 * clocks stand at TEST_START, as that of a test app does.
 */
export function useSimulators(options: SimulatorsOptions = {}): Simulators {
  let started: Simulators | undefined;
  const current = (): Simulators => {
    if (!started) throw new Error('The simulators run only while tests do: not at the top of a file.');
    return started;
  };
  beforeAll(async () => {
    started = await startSimulators(options);
  });
  beforeEach(() => {
    if (options.isOneWorld !== true) resetSimulators(current());
  });
  afterAll(async () => {
    await started?.plaid.close();
    await started?.teller.close();
  });
  return {
    get plaid() {
      return current().plaid;
    },
    get teller() {
      return current().teller;
    },
    get env() {
      return current().env;
    },
  };
}

/** Both simulators with empty worlds; whoever calls closes them. */
export async function startSimulators({ teller: tellerOptions = {} }: SimulatorsOptions = {}): Promise<Simulators> {
  const [plaid, teller] = await Promise.all([startPlaidSimulator(), startTellerSimulator(tellerOptions)]);
  const simulators = { plaid, teller, env: environmentFor(plaid, teller) };
  resetSimulators(simulators);
  return simulators;
}

/** Empty worlds, no faults, an empty log, and clocks that stand at `now`. */
export function resetSimulators({ plaid, teller }: Simulators, now: string = TEST_START): void {
  plaid.control.reset({ now });
  teller.control.reset({ now });
}

function environmentFor(plaid: PlaidSimulator, teller: TellerSimulator): Record<string, string> {
  return {
    PLAID_CLIENT_ID: 'client-sim',
    PLAID_SECRET: 'secret-sim',
    PLAID_ENV: 'sandbox',
    PLAID_BASE_URL: plaid.url,
    PLAID_LINK_SCRIPT_URL: plaid.linkScriptUrl,
    TELLER_APPLICATION_ID: 'app_sim',
    TELLER_ENV: 'sandbox',
    TELLER_BASE_URL: teller.url,
    TELLER_CONNECT_SCRIPT_URL: teller.connectScriptUrl,
    TELLER_WEBHOOK_SECRET: 'whsec_sim_current,whsec_sim_previous',
  };
}
