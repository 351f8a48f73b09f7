import { useMutation } from '@tanstack/react-query';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getRule, listRules, updateRule } from '../../../src/features/rules/rules.contract.ts';
import { api, ApiError, messageOf } from '../../api/client.ts';
import { queryClient, refresh } from '../../api/queries.ts';
import type { Rule } from '../../components/rule/rule-words.ts';
import { showToast, showUndo } from '../../components/toast-store.ts';
import { randomId } from '../../lib/random-id.ts';

/** As often as others may change something else of the rule between reading and writing it. */
const ATTEMPTS = 5;

/**
 * Switches a rule on or off where it stands: shown at once, and taken back if it fails. What others have changed of the rule
 * meanwhile stays as they left it.
 */
export function useRuleSwitch(): (rule: Rule, enabled: boolean) => void {
  const { mutate } = useMutation({
    // One after the other: what was pressed last holds.
    scope: { id: 'rule-switch' },
    mutationFn: ({ rule, enabled }: { rule: Rule; enabled: boolean }) => write(rule, enabled),
    onMutate: ({ rule, enabled }) => show(rule, enabled),
    onError: (error, { rule, enabled }) => {
      show(rule, !enabled);
      showToast(`“${rule.name}” is as it was. ${messageOf(error)}`);
    },
    onSuccess: (changeSetId, { rule, enabled }) => {
      const says = `“${rule.name}” is switched ${enabled ? 'on' : 'off'}`;
      if (changeSetId === null) showToast(`${says} already.`);
      else showUndo(says, changeSetId);
    },
    onSettled: () => refresh(),
  });
  return (rule, enabled) => mutate({ rule, enabled });
}

async function write({ id }: Rule, enabled: boolean): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    const { value, etag } = await api.send(getRule, { params: { id } });
    if (value.enabled === enabled) return null;
    try {
      const guard = { idempotencyKey: randomId(), ...(etag === null ? {} : { ifMatch: etag }) };
      return (await api.send(updateRule, { params: { id }, body: { enabled } }, guard)).changeSetId;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || attempt === ATTEMPTS) throw error;
    }
  }
}

/** On every page that has read the rule; a form over it keeps what it was filled from. */
function show({ id }: Rule, enabled: boolean): void {
  const patch = (rule: Rule): Rule => (rule.id === id ? { ...rule, enabled } : rule);
  queryClient.setQueriesData<OutputOf<typeof listRules>>(
    // The palette has all of them in a form of its own.
    { queryKey: [listRules.name], predicate: ({ queryKey }) => queryKey.at(-1) !== 'all' },
    (page) => page && { ...page, rules: page.rules.map(patch) },
  );
  queryClient.setQueriesData<Rule>(
    { queryKey: [getRule.name], predicate: ({ queryKey }) => queryKey.at(-1) !== 'record' },
    (rule) => rule && patch(rule),
  );
}
