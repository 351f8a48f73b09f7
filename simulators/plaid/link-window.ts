import type { SimulatedAnswer, SimulatedRequest } from '../providers/simulator-server.ts';
import { describeError } from './errors.ts';
import type { LinkToken, PlaidItem } from './records.ts';
import { linkAgain, makePublicToken, type PlaidWorld } from './world.ts';

/** What Link hands to `onSuccess` beside the public token (contract 35.4). */
export interface LinkMetadata {
  institution: { name: string; institution_id: string };
  accounts: {
    id: string;
    name: string;
    mask: string | null;
    type: string;
    subtype: string | null;
    verification_status: null;
  }[];
  link_session_id: string;
}

/** Where the simulated window asks; the one path that pages of any origin may call. */
export const LINK_WINDOW_PATH = '/link/v2/stable/window';

/** A public token of the item, with what Link says beside it. */
export function handOver(world: PlaidWorld, item: PlaidItem): { public_token: string; metadata: LinkMetadata } {
  const { token } = makePublicToken(world, item);
  return {
    public_token: token,
    metadata: {
      institution: { name: item.institution_name, institution_id: item.institution_id },
      accounts: item.accounts.map(({ account_id: id, name, mask, type, subtype }) => ({
        id,
        name,
        mask,
        type,
        subtype,
        verification_status: null,
      })),
      link_session_id: world.numbering.uuid(),
    },
  };
}

/** What the simulated window asks its simulator. */
export function answerLinkWindow(world: PlaidWorld, { body }: SimulatedRequest): SimulatedAnswer {
  const { action, link_token, institution_id } = (body ?? {}) as Record<string, unknown>;
  const link = world.linkTokens.get(String(link_token));
  if (!link || link.isUsed || link.expiresAt < world.clock.now()) {
    return refusal('INVALID_LINK_TOKEN', 'This window is too old. It is opened again.');
  }
  if (action === 'open') return { status: 200, body: describeWindow(world, link) };
  const item = action === 'sign_in' ? repaired(world, link) : linked(world, link, institution_id);
  if (!item) return refusal('INVALID_INSTITUTION', 'There is no such bank.');
  link.isUsed = true;
  return { status: 200, body: handOver(world, item) };
}

function describeWindow(world: PlaidWorld, link: LinkToken): object {
  const names = new Map([...world.items.values()].map((item) => [item.institution_id, item.institution_name]));
  return {
    is_repair: link.itemId !== null,
    institutions: [...names].map(([id, name]) => ({ id, name })),
  };
}

function repaired(world: PlaidWorld, link: LinkToken): PlaidItem | undefined {
  const item = world.items.get(link.itemId ?? '');
  if (item) item.error = null;
  return item;
}

/** The prepared item of a bank, or a new one once that is linked. */
function linked(world: PlaidWorld, link: LinkToken, institutionId: unknown): PlaidItem | undefined {
  const ofBank = [...world.items.values()].filter(({ institution_id }) => institution_id === institutionId);
  const last = ofBank.at(-1);
  if (!last || link.itemId !== null) return undefined;
  const free = ofBank.find((item) => isFree(world, item)) ?? linkAgain(world, last);
  if (link.webhook !== '') free.webhook = link.webhook;
  return free;
}

/** An item nobody has linked: no token of it was exchanged, and none can be any more. */
function isFree(world: PlaidWorld, item: PlaidItem): boolean {
  const tokens = [...world.publicTokens.values()].filter(({ itemId }) => itemId === item.item_id);
  return !item.isRemoved && tokens.every(({ isUsed }) => !isUsed);
}

function refusal(code: string, display_message: string): SimulatedAnswer {
  return { status: 400, body: { ...describeError(code), display_message } };
}
