import type { App, SeenDatabase } from '../../../../app.ts';
import type { Config } from '../../../../kernel/config.ts';

/** What a check found. `remediation`: one sentence with a command or a setting. */
export interface Finding {
  status: 'pass' | 'warn' | 'fail' | 'skip';
  message: string;
  remediation?: string;
}

export interface CheckResult {
  name: string;
  status: Finding['status'];
  message: string;
  remediation: string | null;
}

/** What the checks look at. A part is null if it could not be had; the check that is about it says why. */
export interface Patient {
  config: Config | null;
  problems: readonly string[];
  database: SeenDatabase | null;
  /** Why the database could not be looked at. */
  trouble: string;
  /** What is wrong with the text of the key at hand. */
  keyTrouble: string | null;
  /** The newest schema of this program. */
  newest: number;
  /** The service over the database, if that is sound, current and has its key. */
  app: App | null;
  isOffline: boolean;
  now: number;
}

/** A check of this installation. One that needs the network does without it where it can. */
export interface DoctorCheck {
  name: string;
  look: (patient: Patient) => Promise<Finding> | Finding;
}

export const CHECK_MS = 10_000;

export const pass = (message: string): Finding => ({ status: 'pass', message });
export const skip = (message: string): Finding => ({ status: 'skip', message });
export const warn = (message: string, remediation: string): Finding => ({ status: 'warn', message, remediation });
export const fail = (message: string, remediation: string): Finding => ({ status: 'fail', message, remediation });

/** A check that needs the configuration. */
export function ofConfig(
  name: string,
  look: (config: Config, patient: Patient) => Promise<Finding> | Finding,
): DoctorCheck {
  const missing = skip('Not looked at, because the configuration is not valid.');
  return { name, look: (patient) => (patient.config ? look(patient.config, patient) : missing) };
}

/** A check that needs a sound database, at the schema of this program and with its key. */
export function ofApp(name: string, look: (app: App, patient: Patient) => Promise<Finding> | Finding): DoctorCheck {
  const missing = skip('Not looked at, because the database cannot be used as it is.');
  return { name, look: (patient) => (patient.app ? look(patient.app, patient) : missing) };
}

/** Asks within the time of a check. A redirect or an answer of any status means that somebody is there. */
export async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(CHECK_MS - 1_000), ...init });
}
