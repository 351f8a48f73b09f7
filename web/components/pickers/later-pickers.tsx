import { lazy, useState, type ComponentProps } from 'react';

import type * as all from './all-pickers.ts';

type Pickers = typeof all;

let pickers: Pickers | undefined;

async function read(): Promise<Pickers> {
  pickers = await import('./all-pickers.ts');
  return pickers;
}

/** Reads their code before the first of them is opened, so that no letter is lost. */
export async function preloadPickers(): Promise<void> {
  // Where it fails, the picker that is opened reads it again.
  await read().catch(() => undefined);
}

const LaterAccount = lazy(async () => ({ default: (await read()).AccountPicker }));
const LaterCategory = lazy(async () => ({ default: (await read()).CategoryPicker }));
const LaterCounterparty = lazy(async () => ({ default: (await read()).CounterpartyPicker }));
const LaterMember = lazy(async () => ({ default: (await read()).MemberPicker }));
const LaterSeries = lazy(async () => ({ default: (await read()).SeriesPicker }));
const LaterTags = lazy(async () => ({ default: (await read()).TagsPicker }));

/** As it is at first: another element in the middle would forget what was typed. */
function useThere(): Pickers | undefined {
  return useState(() => pickers)[0];
}

export function AccountPicker(props: ComponentProps<Pickers['AccountPicker']>) {
  const Picker = useThere()?.AccountPicker ?? LaterAccount;
  return <Picker {...props} />;
}

export function CategoryPicker(props: ComponentProps<Pickers['CategoryPicker']>) {
  const Picker = useThere()?.CategoryPicker ?? LaterCategory;
  return <Picker {...props} />;
}

export function CounterpartyPicker(props: ComponentProps<Pickers['CounterpartyPicker']>) {
  const Picker = useThere()?.CounterpartyPicker ?? LaterCounterparty;
  return <Picker {...props} />;
}

export function MemberPicker(props: ComponentProps<Pickers['MemberPicker']>) {
  const Picker = useThere()?.MemberPicker ?? LaterMember;
  return <Picker {...props} />;
}

export function SeriesPicker(props: ComponentProps<Pickers['SeriesPicker']>) {
  const Picker = useThere()?.SeriesPicker ?? LaterSeries;
  return <Picker {...props} />;
}

export function TagsPicker(props: ComponentProps<Pickers['TagsPicker']>) {
  const Picker = useThere()?.TagsPicker ?? LaterTags;
  return <Picker {...props} />;
}
