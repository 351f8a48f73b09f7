import { Ellipsis, Pencil, Plus, Tag as TagIcon, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listTags } from '../../../src/features/tags/tags.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Menu } from '../../components/menu.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inDigits } from '../../lib/numbers.ts';
import { FIGURE_ALONE, PageLink } from '../../lib/page-link.tsx';

export type Tag = OutputOf<typeof listTags>[number];

/** What a dialog is open for. */
export type TagAction = { kind: 'new' } | { kind: 'edit' | 'delete'; tag: Tag };

const TagDialog = lazy(async () => ({ default: (await import('./tag-dialogs.tsx')).TagDialog }));

/** The tags: what they are called, what they are for, and on how many transactions they are. */
export default function TagsPage() {
  const tags = useApiQuery(listTags, {});
  const right = useReasonAgainst('full_access');
  const [action, setAction] = useState<TagAction | null>(null);
  const add = (
    <Button look="primary" icon={Plus} disabledReason={right} onClick={() => setAction({ kind: 'new' })}>
      New tag
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Tags"
        lead="Marks that go across categories, such as a holiday or the tax return. A transaction can have several."
        actions={add}
      />
      <Loaded query={tags} lines={8}>
        {(list) => (
          <DataTable
            caption="Tags"
            rows={list}
            keyOf={({ id }) => id}
            columns={columnsFor(right, setAction)}
            empty={
              <EmptyState icon={TagIcon} title="No tags yet" action={add}>
                A tag gathers what belongs together, whatever its category.
              </EmptyState>
            }
          />
        )}
      </Loaded>
      <Suspense>{action && <TagDialog action={action} onClose={() => setAction(null)} />}</Suspense>
    </>
  );
}

function columnsFor(right: string | undefined, onAction: (action: TagAction) => void): Column<Tag>[] {
  return [
    {
      title: 'Tag',
      isRowHeader: true,
      cell: (tag) => <Name tag={tag} />,
    },
    {
      title: 'What for',
      cell: ({ description }) =>
        description === '' ? null : <bdi className="text-muted wrap-anywhere">{description}</bdi>,
    },
    {
      title: 'Transactions',
      align: 'end',
      cell: ({ slug, transaction_count: count }) =>
        count === 0 ? (
          <span className="text-muted tabular-nums">0</span>
        ) : (
          <PageLink
            to="/transactions"
            search={{ tag: slug, excluded_accounts: 'include', dependent_accounts: 'include' }}
            className={`${FIGURE_ALONE} tabular-nums`}
          >
            {inDigits(count)}
          </PageLink>
        ),
    },
    {
      title: 'Actions',
      align: 'end',
      isActions: true,
      cell: (tag) => (
        <Menu
          trigger={<IconButton icon={Ellipsis} label={`Actions for ${tag.name}`} />}
          items={[
            {
              label: 'Edit',
              icon: Pencil,
              disabledReason: right,
              onSelect: () => onAction({ kind: 'edit', tag }),
            },
            {
              label: 'Delete',
              icon: Trash2,
              destructive: true,
              disabledReason: right,
              onSelect: () => onAction({ kind: 'delete', tag }),
            },
          ]}
        />
      ),
    },
  ];
}

function Name({ tag: { name, slug, color } }: { tag: Tag }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <TagDot color={color} />
      <span className="min-w-0">
        <bdi className="block wrap-anywhere">{name}</bdi>
        {slug !== name && <code className="block text-sm font-normal text-muted wrap-anywhere">{slug}</code>}
      </span>
    </span>
  );
}

/** An attribute, not a style: the page policy allows no inline styles. */
function TagDot({ color }: { color: string }) {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0">
      <circle cx="6" cy="6" r="5.5" fill={color} className="stroke-line-strong" strokeWidth="1" />
    </svg>
  );
}
