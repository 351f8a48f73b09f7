import type { FastifyInstance } from 'fastify';

import type { Instance } from '../../features/handler.ts';
import { createWebhookReceiver } from '../../features/webhooks/receive-webhook.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { PROVIDER_TRAITS } from '../../providers/kinds.ts';
import type { Admission } from './admission.ts';
import { JSON_TYPE } from './send-answer.ts';

/** Adds the addresses that providers send their webhooks to, and returns their paths (contract 30.13). */
export function addWebhooks(server: FastifyInstance, instance: Instance, admission: Admission): string[] {
  const receiver = createWebhookReceiver(instance);
  const providers = PROVIDER_TRAITS.filter(({ capabilities }) => capabilities.includes('webhooks'));
  const paths = providers.map(({ name }) => {
    const path = `/webhooks/${name}`;
    server.post(path, {
      bodyLimit: LIMITS.webhookBodyBytes,
      // The signature is over the bytes as they were sent, whatever the headers call them.
      decompress: false,
      onRequest: async (request) => {
        request.headers['content-type'] = 'application/octet-stream';
        admission.chargeWebhook(request);
      },
      handler: async (request, reply) => {
        const { headers } = request;
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
        const receipt = await receiver.receive(name, { headers, body });
        return reply.type(JSON_TYPE).send(JSON.stringify(receipt));
      },
    });
    return path;
  });
  server.addHook('onClose', async () => receiver.settled());
  return paths;
}
