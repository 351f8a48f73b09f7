import { useMemo } from 'react';

import { listCounterparties } from '../../../src/features/counterparties/counterparties.contract.ts';
import { listSeries } from '../../../src/features/series/series.contract.ts';
import { listTags } from '../../../src/features/tags/tags.contract.ts';
import { READ_ONCE, useAccounts, useCategories, useMembers } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import type { RuleNames } from './rule-names.ts';

const TO_COME = '…';

/** The names behind ids and slugs in rules; each list is read once for all pages. */
export function useRuleNames(): RuleNames {
  const categories = useCategories();
  const accounts = useAccounts();
  const members = useMembers();
  const { data: tags } = useApiQuery(listTags, {}, READ_ONCE);
  const { data: series } = useApiQuery(listSeries, {}, READ_ONCE);
  const { data: counterparties } = useApiQuery(listCounterparties, {}, READ_ONCE);
  return useMemo(() => {
    const bySlug = categories && new Map([...categories.values()].map((one) => [one.slug, one]));
    return {
      category: (slug) => {
        const found = bySlug?.get(slug) ?? categories?.get(slug);
        if (found) return { kind: 'category', id: found.id, text: found.name };
        // Empty while a rule is being written.
        return { kind: 'name', text: categories && slug !== '' ? slug : TO_COME };
      },
      // A tag that the rule would make has no name yet.
      tag: (slug) => (tags ? (tags.find((one) => one.slug === slug || one.id === slug)?.name ?? slug) : TO_COME),
      account: nameIn(accounts, ({ display_name: own, name }) => own ?? name ?? '', 'an account that is gone'),
      member: nameIn(members, ({ name }) => name, 'a member who has left'),
      series: nameIn(series?.series, ({ name }) => name, 'a series that is gone'),
      counterparty: nameIn(counterparties?.counterparties, ({ name }) => name, 'a counterparty that is gone'),
    };
  }, [categories, accounts, members, tags, series, counterparties]);
}

interface Known {
  id?: string;
  short_id?: string;
}

function nameIn<T extends Known>(
  list: readonly T[] | undefined,
  nameOf: (one: T) => string,
  gone: string,
): (id: string) => string {
  const names = list && new Map(list.flatMap((one) => [one.id, one.short_id].map((id) => [id, nameOf(one)] as const)));
  return (id) => (names ? (names.get(id) ?? gone) : TO_COME);
}
