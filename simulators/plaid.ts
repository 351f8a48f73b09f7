import { createSimulatedClock } from './providers/clock.ts';
import { answerControl } from './providers/control-routes.ts';
import { answerScript } from './providers/browser-scripts.ts';
import { serveProvider } from './providers/simulator-server.ts';
import { answerPlaid } from './plaid/api.ts';
import { createPlaidControl, plaidControlRoutes, type PlaidControl } from './plaid/control.ts';
import { plaidBanks } from './plaid/controlled-banks.ts';
import { answerLinkWindow, LINK_WINDOW_PATH } from './plaid/link-window.ts';
import { createPlaidWorld, findItemByToken } from './plaid/world.ts';

export interface PlaidSimulatorOptions {
  /** Any free one unless given. */
  port?: number;
  /** The only secret that is accepted; any unless given. */
  secret?: string;
}

export interface PlaidSimulator {
  url: string;
  linkScriptUrl: string;
  control: PlaidControl;
  close(): Promise<void>;
}

const SCRIPT_PATH = '/link/v2/stable/link-initialize.js';

/** Plaid on loopback (contract 35.9.1), with an empty world and a running clock. */
export async function startPlaidSimulator(options: PlaidSimulatorOptions = {}): Promise<PlaidSimulator> {
  const clock = createSimulatedClock();
  const world = createPlaidWorld(clock, options.secret ?? null);
  let control: PlaidControl | undefined;
  const server = await serveProvider(
    (parts) => {
      const made = createPlaidControl(world, parts);
      const routes = plaidControlRoutes(made);
      control = made;
      return {
        clock,
        answer: (request) => answerPlaid(world, request),
        subjectsOf({ body }) {
          const { access_token: accessToken, public_token: publicToken } = (body ?? {}) as Record<string, unknown>;
          const itemId = world.publicTokens.get(String(publicToken))?.itemId;
          const found = findItemByToken(world, accessToken)?.item_id ?? itemId;
          return found === undefined ? [] : [found];
        },
        answerBrowser: (request) =>
          answerScript(request, { scriptPath: SCRIPT_PATH, script: 'plaid', windowPath: LINK_WINDOW_PATH }, () =>
            answerLinkWindow(world, request),
          ),
        control: (request) => answerControl(routes, () => plaidBanks(world), request),
      };
    },
    options.port === undefined ? {} : { port: options.port },
  );
  return {
    url: server.url,
    linkScriptUrl: server.url + SCRIPT_PATH,
    control: control as unknown as PlaidControl,
    close: () => server.close(),
  };
}
