import type { SimulatedAnswer, SimulatedRequest } from '../providers/simulator-server.ts';
import type { Enrollment } from './records.ts';
import { enrollAgain, type TellerWorld } from './world.ts';

/** Where the simulated window asks; the one path that pages of any origin may call. */
export const CONNECT_WINDOW_PATH = '/connect/window';

/** What the simulated window asks its simulator. */
export function answerConnectWindow(world: TellerWorld, { body }: SimulatedRequest): SimulatedAnswer {
  const { action, institution_id, enrollment_id } = (body ?? {}) as Record<string, unknown>;
  if (action === 'open') {
    const known = [...world.enrollments.values()].map(({ institution }) => [institution.id, institution.name] as const);
    return { status: 200, body: { institutions: [...new Map(known)].map(([id, name]) => ({ id, name })) } };
  }
  const enrollment =
    action === 'sign_in' ? repaired(world, String(enrollment_id)) : linked(world, String(institution_id));
  if (!enrollment)
    return { status: 400, body: { type: 'payment', code: 'not_found', message: 'There is no such bank.' } };
  return { status: 200, body: handOver(enrollment) };
}

/** What Connect hands to `onSuccess` (contract 35.8). */
function handOver({ access_token, user_id, enrollment_id, institution }: Enrollment): object {
  return {
    accessToken: access_token,
    user: { id: user_id },
    enrollment: { id: enrollment_id, institution: { name: institution.name } },
    signatures: [],
  };
}

function repaired({ enrollments }: TellerWorld, id: string): Enrollment | undefined {
  const enrollment = enrollments.get(id);
  if (enrollment) enrollment.disconnected = null;
  return enrollment;
}

/** The prepared enrollment of a bank, or a new one once that is linked. */
function linked(world: TellerWorld, institutionId: string): Enrollment | undefined {
  const ofBank = [...world.enrollments.values()].filter(({ institution }) => institution.id === institutionId);
  const last = ofBank.at(-1);
  if (!last) return undefined;
  const free = ofBank.find(({ isLinked, isRevoked }) => !isLinked && !isRevoked) ?? enrollAgain(world, last);
  free.isLinked = true;
  return free;
}
