import type { FastifyReply, FastifyRequest } from 'fastify';

import { signInVisitor, type DemoLink } from '../../features/demo/index.ts';
import type { Instance } from '../../features/handler.ts';
import { isFromHere } from '../../features/setup/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { callerOf, type Admission } from './admission.ts';
import { clientInfo } from './cookies.ts';
import { answerPage } from './pages/pages.ts';
import type { Route } from './routes.ts';

interface DemoOptions {
  instance: Instance;
  admission: Admission;
  link: DemoLink;
}

/** The page that the link of a demo opens. Only GET spends the link: HEAD looks without a person. */
export function demoLinkRoute({ instance, admission, link }: DemoOptions): Route {
  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    admission.chargeAddress(request);
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    const { client } = callerOf(request);
    const visitor = clientInfo(request, client, client.origin);
    const { token } = request.params as { token: string };
    // A browser that loads pages ahead of time is not a visitor yet.
    const isAhead = request.headers['sec-purpose'] !== undefined || request.headers['purpose'] !== undefined;
    const isGood = !isAhead && isFromHere(instance, { client: visitor, baseUrl: client.origin }) && link.spend(token);
    const started = isGood ? await signInVisitor(instance, visitor) : undefined;
    if (started) reply.header('set-cookie', [...started.cookies]);
    else if (isAhead || !(await admission.findSession(request))) throw spent();
    return reply.code(303).header('location', '/').send();
  }

  return {
    url: '/demo/:token',
    methods: ['GET'],
    isOpen: true,
    handler: (request, reply) => answerPage(instance, request, reply, () => signIn(request, reply)),
  };
}

function spent(): AppError {
  return new AppError(
    'FORBIDDEN',
    'This link works once, within an hour, and only on the computer that runs the demo. Sign in with one of the addresses and the ' +
      'password that the demo printed, or start the demo again.',
  );
}
