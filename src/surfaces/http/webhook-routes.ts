import type { Instance } from '../../features/handler.ts';
import { createWebhookReceiver } from '../../features/webhooks/receive-webhook.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { PROVIDER_TRAITS } from '../../providers/kinds.ts';
import type { Admission } from './admission.ts';
import type { Route } from './routes.ts';
import { JSON_TYPE } from './send-answer.ts';

export const WEBHOOKS = '/webhooks/';

export interface WebhookRoutes {
  routes: Route[];
  /** Resolves when everything that was received has been stored. */
  settled: () => Promise<void>;
}

/** The addresses that providers send their webhooks to (contract 30.13). */
export function webhookRoutes(instance: Instance, admission: Admission): WebhookRoutes {
  const receiver = createWebhookReceiver(instance);
  const providers = PROVIDER_TRAITS.filter(({ capabilities }) => capabilities.includes('webhooks'));
  const routes = providers.map(({ name }): Route => ({
    url: `${WEBHOOKS}${name}`,
    methods: ['POST'],
    isOpen: true,
    bodyLimit: LIMITS.webhookBodyBytes,
    onRequest(request) {
      request.headers['content-type'] = 'application/octet-stream';
      admission.chargeWebhook(request);
    },
    async handler(request, reply) {
      const { headers } = request;
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      const receipt = await receiver.receive(name, { headers, body });
      return reply.type(JSON_TYPE).send(JSON.stringify(receipt));
    },
  }));
  return { routes, settled: () => receiver.settled() };
}
