import { Flag } from 'lucide-react';

import { listCounterparties } from '../../../src/features/counterparties/counterparties.contract.ts';
import { listSeries } from '../../../src/features/series/series.contract.ts';
import { listTags } from '../../../src/features/tags/tags.contract.ts';
import { READ_ONCE, useMembers } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../button.tsx';
import { EditInPlace, TextInPlace } from '../edit-in-place.tsx';
import { CounterpartyPicker, MemberPicker, SeriesPicker, TagsPicker } from '../pickers/later-pickers.tsx';
import { CategoryField } from './category-field.tsx';
import { ChoiceField } from './choice-field.tsx';
import { FieldRow } from './field-row.tsx';
import { whichOf } from './transaction-words.ts';
import type { Edit, Editing } from './use-transaction-edit.ts';
import { WhoDecided, type Decision } from './who-decided.tsx';

interface FieldProps {
  editing: Editing;
  /** Why nothing can be changed. */
  reason: string | undefined;
  decision?: Decision | undefined;
}

interface DetailFieldsProps {
  editing: Editing;
  decisions: readonly Decision[];
}

/** The fields that the household decides, each edited in place. */
export function DetailFields({ editing, decisions }: DetailFieldsProps) {
  const right = useReasonAgainst('full_access');
  const reason = isNothing(editing.record.deleted_at) ? right : 'Restore the transaction first.';
  const of = (field: string) => decisions.find((one) => one.field === field);
  return (
    <dl>
      <CategoryField editing={editing} reason={reason} decision={of('category')} />
      <CounterpartyField editing={editing} reason={reason} decision={of('counterparty')} />
      <TagsField editing={editing} reason={reason} />
      <SeriesField editing={editing} reason={reason} decision={of('series')} />
      <PersonField editing={editing} reason={reason} />
      <FlagField editing={editing} reason={reason} decision={of('flagged')} />
    </dl>
  );
}

function CounterpartyField({ editing, reason, decision }: FieldProps) {
  const known = useApiQuery(listCounterparties, {}, READ_ONCE).data?.counterparties;
  const { counterparty_id: value = null, counterparty_name: name } = editing.record;
  const nameOf = (id: string | null) =>
    id === null ? 'No counterparty' : (known?.find((one) => one.id === id)?.name ?? 'A new counterparty');
  return (
    <ChoiceField
      title="Counterparty"
      editing={editing}
      reason={reason}
      valueOf={({ counterparty_id: id }) => id}
      nameOf={nameOf}
      changes={(id) => ({ counterparty_id: id })}
      shown={(before, id) => ({
        ...before,
        counterparty_id: id,
        counterparty_name: id === null ? (before.merchant_name ?? before.name ?? '') : nameOf(id),
      })}
      renderPicker={(props) => <CounterpartyPicker {...props} />}
      note={value !== null && <WhoDecided decision={decision} />}
    >
      {value === null ? <None>No counterparty</None> : <bdi className="truncate">{name}</bdi>}
    </ChoiceField>
  );
}

function SeriesField({ editing, reason, decision }: FieldProps) {
  const known = useApiQuery(listSeries, {}, READ_ONCE).data?.series;
  const { series_id: value = null } = editing.record;
  const nameOf = (id: string | null) =>
    id === null ? 'No series' : (known?.find((one) => one.id === id)?.name ?? '…');
  return (
    <ChoiceField
      title="Series"
      editing={editing}
      reason={reason}
      valueOf={({ series_id: id }) => id}
      nameOf={nameOf}
      changes={(id) => ({ series_id: id })}
      shown={(before, id) => ({ ...before, series_id: id })}
      renderPicker={(props) => <SeriesPicker {...props} />}
      note={value !== null && <WhoDecided decision={decision} />}
    >
      {value === null ? <None>Not recurring</None> : <bdi className="truncate">{nameOf(value)}</bdi>}
    </ChoiceField>
  );
}

/** Whose it is, where that is somebody else than the owner of the account. */
function PersonField({ editing, reason }: FieldProps) {
  const members = useMembers();
  const { attributed_user_id: value = null, user_id: owner = null } = editing.record;
  const nameOf = (id: string | null) => members?.find((one) => one.short_id === id)?.name ?? 'As the account';
  return (
    <ChoiceField
      title="Person"
      editing={editing}
      reason={reason}
      valueOf={({ attributed_user_id: id }) => id}
      nameOf={nameOf}
      changes={(id) => ({ attributed_user_id: id })}
      shown={(before, id) => ({ ...before, attributed_user_id: id })}
      renderPicker={(props) => <MemberPicker {...props} none="As the account" />}
    >
      {value === null && owner === null ? (
        <None>Nobody</None>
      ) : (
        <bdi className="wrap-anywhere">{nameOf(value ?? owner)}</bdi>
      )}
      {value === null && owner !== null && <span className="shrink-0 text-sm text-muted">owns the account</span>}
    </ChoiceField>
  );
}

function TagsField({ editing, reason }: FieldProps) {
  const { record, edit } = editing;
  const { tags = [] } = record;
  const known = useApiQuery(listTags, {}, READ_ONCE).data;
  const nameOf = (slug: string) => known?.find((tag) => tag.slug === slug)?.name ?? slug;
  const label = `Tags of ${whichOf(record)}`;
  return (
    <FieldRow field="tags" title="Tags" editing={editing} inWords={({ tags: all = [] }) => all.map(nameOf).join(', ')}>
      <EditInPlace
        label={label}
        disabledReason={reason}
        renderEditor={(end) => (
          <TagsPicker
            autoFocus
            className="flex-1"
            label={label}
            value={tags}
            onToggle={(slug, isAdded) => edit(toggleOf(slug, isAdded, nameOf(slug)))}
            onCancel={end}
          />
        )}
      >
        {tags.length === 0 && <None>No tags</None>}
        <span className="flex flex-wrap gap-1 py-1 empty:hidden">
          {tags.map((slug) => (
            <bdi key={slug} className="rounded-full bg-sunken px-2 text-sm">
              {nameOf(slug)}
            </bdi>
          ))}
        </span>
      </EditInPlace>
    </FieldRow>
  );
}

function toggleOf(slug: string, isAdded: boolean, name: string): Edit {
  return {
    field: 'tags',
    changes: isAdded ? { tags_to_add: [slug] } : { tags_to_remove: [slug] },
    shown: (before) => {
      const others = (before.tags ?? []).filter((tag) => tag !== slug);
      return { ...before, tags: isAdded ? [...others, slug] : others };
    },
    valueOf: ({ tags }) => tags?.includes(slug) ?? false,
    words: isAdded ? `Tag added: ${name}` : `Tag removed: ${name}`,
  };
}

function FlagField({ editing, reason, decision }: FieldProps) {
  const { record, edit } = editing;
  const isFlagged = !isNothing(record.flagged_at);
  return (
    <FieldRow
      field="flag"
      title="Flag"
      editing={editing}
      inWords={({ flagged_at: at }) => (isNothing(at) ? 'not flagged' : 'flagged')}
      note={isFlagged && <WhoDecided decision={decision} />}
    >
      {isFlagged && (
        <>
          <span className="flex items-center gap-1.5 py-1 font-medium text-warning">
            <Flag aria-hidden size={16} /> Flagged
          </span>
          <Button look="quiet" disabledReason={reason} onClick={() => edit(flagOf(false))}>
            Remove<span className="sr-only"> the flag</span>
          </Button>
        </>
      )}
      {!isFlagged && (
        <EditInPlace
          label="Flag it"
          disabledReason={reason}
          renderEditor={(end) => (
            <TextInPlace
              isAlwaysSaved
              label={`Why ${whichOf(record)} is flagged`}
              placeholder="Why? Enter flags it, also without a reason."
              value=""
              onSave={(why) => {
                end();
                edit(flagOf(true, why.trim()));
              }}
              onCancel={end}
            />
          )}
        >
          <None>Not flagged</None>
        </EditInPlace>
      )}
    </FieldRow>
  );
}

function flagOf(flagged: boolean, why = ''): Edit {
  return {
    field: 'flag',
    changes: { flagged, ...(why === '' ? {} : { comment: why }) },
    shown: (before) => ({ ...before, flagged_at: flagged ? (before.updated_at ?? null) : null }),
    valueOf: ({ flagged_at: at }) => isNothing(at),
    words: flagged ? 'Flagged' : 'Flag removed',
  };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function None({ children }: { children: string }) {
  return <span className="text-muted italic">{children}</span>;
}
