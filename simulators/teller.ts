import { X509Certificate } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';

import { answerScript } from './providers/browser-scripts.ts';
import { createSimulatedClock } from './providers/clock.ts';
import { answerControl } from './providers/control-routes.ts';
import { serveProvider } from './providers/simulator-server.ts';
import { answerTeller, tokenOf } from './teller/api.ts';
import { answerConnectWindow, CONNECT_WINDOW_PATH } from './teller/connect-window.ts';
import { tellerBanks } from './teller/controlled-banks.ts';
import { createTellerControl, tellerControlRoutes, type TellerControl } from './teller/control.ts';
import { createTellerWorld, findEnrollmentByToken } from './teller/world.ts';

export interface TellerSimulatorOptions {
  /** Any free one unless given. */
  port?: number;
  /** Serves HTTPS with this certificate, both in PEM, and asks clients for theirs. */
  tls?: {
    certificate: string;
    privateKey: string;
    /** The only certificate of a client that is accepted; any unless given. */
    clientCertificate?: string;
    /** Refuses every other one in the handshake already. */
    refusesInHandshake?: boolean;
  };
  /** Answers 400 to clients without a certificate; a reset can change it. */
  requireCertificate?: boolean;
}

export interface TellerSimulator {
  url: string;
  connectScriptUrl: string;
  control: TellerControl;
  close(): Promise<void>;
}

const SCRIPT_PATH = '/connect/connect.js';

/** Teller on loopback (contract 35.9.2), with an empty world and a running clock. */
export async function startTellerSimulator(options: TellerSimulatorOptions = {}): Promise<TellerSimulator> {
  const clock = createSimulatedClock();
  const world = createTellerWorld(clock, options.requireCertificate ?? false);
  const scheme = options.tls ? 'https' : 'http';
  let control: TellerControl | undefined;
  const server = await serveProvider((parts) => {
    const made = createTellerControl(world, parts);
    const routes = tellerControlRoutes(made);
    control = made;
    return {
      clock,
      answer: (request) =>
        answerTeller(world, request, `${scheme}://${request.headers['host']}`, (socket) =>
          hasCertificate(socket, options.tls?.clientCertificate),
        ),
      subjectsOf({ path, headers }) {
        const enrollment = findEnrollmentByToken(world, tokenOf(headers['authorization']) ?? '');
        const accountId = path.split('/')[2];
        return [enrollment?.enrollment_id, accountId].filter((id) => id !== undefined);
      },
      answerBrowser: (request) =>
        answerScript(request, { scriptPath: SCRIPT_PATH, script: 'teller', windowPath: CONNECT_WINDOW_PATH }, () =>
          answerConnectWindow(world, request),
        ),
      control: (request) => answerControl(routes, () => tellerBanks(world), request),
    };
  }, serverOptions(options));
  return {
    url: server.url,
    connectScriptUrl: server.url + SCRIPT_PATH,
    control: control as unknown as TellerControl,
    close: () => server.close(),
  };
}

function serverOptions({ port, tls }: TellerSimulatorOptions): { port?: number; tls?: ServerOptions } {
  const at = port === undefined ? {} : { port };
  if (!tls) return at;
  const { certificate: cert, privateKey: key, clientCertificate, refusesInHandshake = false } = tls;
  const trusted = clientCertificate === undefined ? {} : { ca: clientCertificate };
  return { ...at, tls: { cert, key, requestCert: true, rejectUnauthorized: refusesInHandshake, ...trusted } };
}

function hasCertificate(socket: TLSSocket, wanted: string | undefined): boolean {
  if (!('getPeerX509Certificate' in socket)) return false;
  const shown = socket.getPeerX509Certificate();
  if (!shown) return false;
  return wanted === undefined || shown.fingerprint256 === new X509Certificate(wanted).fingerprint256;
}
