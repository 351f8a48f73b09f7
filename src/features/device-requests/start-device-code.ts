import { bookkeep } from '../../journal/write.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { countedAddress } from '../../kernel/network.ts';
import { handleBackground } from '../handler.ts';
import { startDeviceCode as operation } from './device-requests.contract.ts';
import { insertDeviceRequest, selectLive } from './device-requests.queries.ts';

const NOWHERE = '127.0.0.1';

export const startDeviceCode = handleBackground(operation, async ({ instance, request }, { body }) => {
  const { database, random } = instance;
  const deviceCode = Buffer.from(random.bytes(32)).toString('base64url');
  const clientAddress = request.client?.address ?? NOWHERE;
  const { user_code: userCode } = await bookkeep(database, async (tx) => {
    await refuseTooMany(tx, clientAddress);
    return insertDeviceRequest(tx, random, {
      deviceCodeHash: sha256Hex(deviceCode),
      clientName: body.client_name,
      clientAddress,
      requestedScope: body.scope,
    });
  });
  const page = `${request.baseUrl}/auth/device`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_url: page,
    verification_url_complete: `${page}?code=${userCode}`,
    expires_in: LIMITS.deviceRequestMinutes * 60,
    interval: LIMITS.devicePollSeconds,
  };
});

/** @throws RATE_LIMITED until one of the live requests is over */
async function refuseTooMany(tx: BareWriteTx, address: string): Promise<void> {
  const live = await selectLive(tx);
  const own = live.filter((one) => countedAddress(one.client_address) === countedAddress(address));
  const full = own.length >= LIMITS.deviceRequestsPerAddress ? own : live.length >= LIMITS.deviceRequests ? live : [];
  const [first] = full;
  if (!first) return;
  const seconds = Math.max(1, Math.ceil((Date.parse(first.expires_at) - Date.parse(tx.now)) / 1000));
  throw new AppError(
    'RATE_LIMITED',
    `Too many device requests are waiting for a decision. Try again in ${seconds} s.`,
    {
      headers: { 'retry-after': String(seconds) },
    },
  );
}
