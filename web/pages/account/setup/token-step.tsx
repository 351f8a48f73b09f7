import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';

import { getSetup } from '../../../../src/features/setup/setup.contract.ts';
import { visitorApi } from '../../../api/client.ts';
import { Banner } from '../../../components/banner.tsx';
import { FieldProblem, Form, useOperationForm } from '../../../components/form.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Loaded } from '../../../components/skeleton.tsx';
import { TextField } from '../../../components/text-fields.tsx';
import { leaveFor, queryValue } from '../leave-for.ts';
import type { Members } from './setup-forms.ts';

interface TokenStepProps {
  /** It was good once, and expired while the person was typing. */
  wasRefused: boolean;
  onGood: (token: string, members: Members) => void;
}

/** The token comes with the address, or from the server on its own machine; else the person brings it. */
export function TokenStep({ wasRefused, onGood }: TokenStepProps) {
  const [given] = useState(() => (wasRefused ? '' : queryValue('token')));
  // A secret does not stay in the address, where it would be kept in the history and read over a shoulder.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const found = useQuery({
    queryKey: [getSetup.name, given],
    queryFn: () => (wasRefused ? 'missing' : findToken(given)),
    staleTime: Infinity,
    retry: false,
  });
  useEffect(() => {
    if (typeof found.data === 'object') onGood(found.data.token, found.data.members);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each token that was found
  }, [found.data]);
  return (
    <Loaded query={found} lines={6}>
      {(state) =>
        typeof state === 'object' ? null : <TokenForm problem={wasRefused ? 'expired' : state} onGood={onGood} />
      }
    </Loaded>
  );
}

interface GoodToken {
  token: string;
  members: Members;
}

async function findToken(given: string): Promise<GoodToken | 'refused' | 'missing'> {
  if (given !== '') return (await tryToken(given)) ?? 'refused';
  const { first_run: isFirstRun, setup_token: own } = await visitorApi.call(getSetup, { query: {} });
  if (!isFirstRun) return leaveFor('/');
  return own === null ? 'missing' : ((await tryToken(own)) ?? 'missing');
}

async function tryToken(token: string): Promise<GoodToken | undefined> {
  const { first_run: isFirstRun, members } = await visitorApi.call(getSetup, { query: { token } });
  if (!isFirstRun) return leaveFor('/');
  return members === null ? undefined : { token, members };
}

const FORM = { body: z.object({ token: z.string().refine((text) => tokenIn(text) !== '', 'must not be empty') }) };
const PROBLEMS = {
  missing: undefined,
  refused: 'This setup link does not work. It may have expired, or part of it may be missing.',
  expired: 'The setup link has expired. What you entered is kept: enter a new link to continue where you were.',
} as const;

interface TokenFormProps {
  problem: keyof typeof PROBLEMS;
  onGood: TokenStepProps['onGood'];
}

function TokenForm({ problem, onGood }: TokenFormProps) {
  const form = useOperationForm(FORM, {
    defaults: { token: '' },
    send: async ({ token }) => {
      const good = await tryToken(tokenIn(token));
      if (!good) throw new FieldProblem('token', 'This link does not work. Use the newest one.');
      onGood(good.token, good.members);
    },
  });
  const message = PROBLEMS[problem];
  return (
    <>
      <PageHeader
        title="Set up Homeledger"
        lead="Only the person who runs the server can set it up. Enter the setup link to show that this is you."
      />
      {message !== undefined && <Banner tone="warning">{message}</Banner>}
      <Form form={form} submit="Continue">
        <TextField
          name="token"
          label="Setup link"
          hint="The whole link, or just the part after token=."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          monospaced
          autoFocus
        />
      </Form>
      <section className="mt-6 space-y-2 border-t border-line pt-4 text-muted">
        <h2 className="font-semibold text-ink">Where to find it</h2>
        <p>
          Homeledger prints the link when it starts. Look in the terminal where you started it, or in the container’s
          log.
        </p>
        <p>It works for 24 hours. After that, restart Homeledger to get a new one.</p>
      </section>
    </>
  );
}

/** The token in a link that was pasted whole, or alone. */
function tokenIn(text: string): string {
  const query = text.trim().split('?')[1];
  return query === undefined ? text.trim().replace(/^token=/, '') : (new URLSearchParams(query).get('token') ?? '');
}
