import { useState } from 'react';

import { useCategories } from '../../api/lists.ts';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page-header.tsx';
import { AccountPicker } from '../../components/pickers/account-picker.tsx';
import { CategoryPicker } from '../../components/pickers/category-picker.tsx';
import { CounterpartyPicker } from '../../components/pickers/counterparty-picker.tsx';
import { MemberPicker } from '../../components/pickers/member-picker.tsx';
import { TagsPicker } from '../../components/pickers/tags-picker.tsx';
import { SampleMatches } from '../../components/rule/sample-matches.tsx';
import { AlwaysFile } from '../../components/transaction/always-file.tsx';
import { CategoryChip, CategorySign } from '../../components/transaction/category-chip.tsx';
import { TransactionRow, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { colorAttributes, HUES, SHADES } from '../../lib/category-color.ts';

const SAMPLE = {
  date: '2026-04-25',
  amount: '23.40',
  iso_currency_code: 'EUR',
  account_name: 'Joint checking',
  category: null,
  category_source: null,
  pending: false,
} as const;

export function TransactionSamples() {
  const categories = [...(useCategories()?.values() ?? [])];
  const of = (slug: string) => categories.find((category) => category.slug === slug) ?? null;
  const rows: readonly TransactionRecord[] = [
    { ...SAMPLE, id: 'a', short_id: 'a', name: 'SQ *CORNER CAFE 0423', category: of('food_and_drink_coffee') },
    { ...SAMPLE, id: 'b', short_id: 'b', name: 'REWE', category: of('food_and_drink_groceries'), pending: true },
    { ...SAMPLE, id: 'c', short_id: 'c', name: 'Salary', amount: '-3125.00', category: of('income_wages') },
    { ...SAMPLE, id: 'd', short_id: 'd', name: 'Unknown transfer', flagged_at: '2026-04-25T10:00:00.000Z' },
    {
      ...SAMPLE,
      id: 'e',
      short_id: 'e',
      name: 'A rather long name of a shop in the text of the bank, which is cut off at the amount',
      amount: '1234567.89',
      category: of('entertainment_sporting_events_amusement_parks_and_museums'),
      excluded_from_totals: 'account_excluded',
    },
    { ...SAMPLE, id: 'f', short_id: 'f', name: 'Charged twice', deleted_at: '2026-04-25T10:00:00.000Z' },
  ];
  return (
    <>
      {(['comfortable', 'compact'] as const).map((density) => (
        <Section key={density} title={density === 'compact' ? 'Close together' : 'Transactions'}>
          <ul className="divide-y divide-line" aria-label={`Transactions, ${density}`}>
            {rows.map((row) => (
              <li key={row.id}>
                <TransactionRow transaction={row} density={density} withDate hasComment={row.id === 'b'} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
      <Section title="What a rule would change">
        <RuleSample rows={rows} />
      </Section>
      <Section title="After a correction">
        <AlwaysFileSample category={of('food_and_drink_groceries')} />
      </Section>
      <Section title="Pickers">
        <Pickers />
      </Section>
      <Section title="Colours of categories">
        <Colors />
        <ul className="mt-4 grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3" aria-label="Categories">
          {categories.map((category) => (
            <li key={category.id} className={`flex items-center gap-2 ${category.parent_id === null ? '' : 'pl-4'}`}>
              <CategorySign id={category.id} />
              <CategoryChip category={category} />
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

const KINDS = ['Category', 'Counterparty', 'Tags', 'Account', 'Member'] as const;

function Pickers() {
  const [open, setOpen] = useState<(typeof KINDS)[number]>();
  const [picked, setPicked] = useState('nothing');
  const [tags, setTags] = useState<readonly string[]>([]);
  const props = {
    label: `${open ?? ''} of REWE, 23.40 €`,
    autoFocus: true,
    className: 'max-w-xs',
    value: null,
    onPick: (id: string | null, via: string) => {
      setPicked(`${id ?? 'none'} by ${via}`);
      setOpen(undefined);
    },
    onCancel: (via: string) => {
      setPicked(`left by ${via}`);
      setOpen(undefined);
    },
  };
  return (
    <>
      <p className="mb-3 flex flex-wrap gap-2">
        {KINDS.map((kind) => (
          <Button key={kind} onClick={() => setOpen(kind)}>
            {kind}
          </Button>
        ))}
      </p>
      {open === 'Category' && <CategoryPicker {...props} />}
      {open === 'Counterparty' && <CounterpartyPicker {...props} />}
      {open === 'Account' && <AccountPicker {...props} value="" />}
      {open === 'Member' && <MemberPicker {...props} none="As the account" />}
      {open === 'Tags' && (
        <TagsPicker
          {...props}
          value={tags}
          onToggle={(slug, isAdded) => setTags(isAdded ? [...tags, slug] : tags.filter((tag) => tag !== slug))}
        />
      )}
      <p role="status" className="mt-2 text-muted">
        Picked: {open === 'Tags' ? tags.join(', ') : picked}
      </p>
    </>
  );
}

function RuleSample({ rows }: { rows: readonly TransactionRecord[] }) {
  return (
    <SampleMatches
      samples={rows.slice(0, 2).map((transaction, at) => ({
        transaction,
        changes: at === 0 ? [{ field: 'category', before: null, after: 'food_and_drink_coffee' }] : [],
        skipped: at === 0 ? [] : [{ action: 0, reason: 'locked' as const }],
      }))}
    />
  );
}

/** Every colour that a category can have; the test measures them. */
function Colors() {
  return (
    <div className="flex flex-wrap gap-1" role="img" aria-label="24 hues in 5 shades, and grey">
      {Array.from({ length: HUES * SHADES + 1 }, (_, at) => ({
        hue: at === HUES * SHADES ? ('none' as const) : at % HUES,
        shade: Math.floor(at / HUES) % SHADES,
      })).map((color) => (
        <span
          key={`${color.hue} ${color.shade}`}
          {...colorAttributes(color)}
          data-swatch
          className="grid size-6 place-items-center rounded-full bg-tint-of-category"
        >
          <span className="size-3 rounded-full bg-of-category" />
        </span>
      ))}
    </div>
  );
}

function AlwaysFileSample({ category }: { category: { id: string; name: string } | null }) {
  const [isOpen, setOpen] = useState(true);
  if (!category || !isOpen) return <Button onClick={() => setOpen(true)}>Ask again</Button>;
  return <AlwaysFile transaction={{ merchant_name: 'REWE' }} category={category} onEnd={() => setOpen(false)} />;
}
