import { addDays } from '../../src/kernel/dates.ts';
import type { FilledDemo } from '../../src/surfaces/cli/server/fill-demo.ts';

const ROWS = [
  ['GUTSCHRIFT NORDLICHT VERLAG GMBH HONORAR RG 0311', 46_500],
  ['POS 7073 REWE SAGT DANKE 44', -3_418],
  ['LASTSCHRIFT BVG ABO DEUTSCHLANDTICKET', -6_300],
  ['CAFÉ MORGENROT BERLIN', -390],
  ['EDEKA BERLIN//BERLIN/DE TERMINAL 0989', -2_676],
  ['ZUR LETZTEN INSTANZ BERLIN', -4_748],
] as const;

/** What Ben's bank in Berlin would give him to download next: it goes on where the last file ended. */
export async function nextStatement(
  address: string,
  { keys, until }: FilledDemo,
): Promise<{ name: string; text: string }> {
  const answer = await fetch(`${address}/api/v1/accounts`, { headers: { 'x-api-key': keys.read_only } });
  const accounts = (await answer.json()) as { name: string; balance_current: string }[];
  const account = accounts.find(({ name }) => name === 'Girokonto');
  let balance = Math.round(Number(account?.balance_current ?? 0) * 100);
  const day = addDays(until, 1);
  const date = day.split('-').toReversed().join('.');
  const lines = ROWS.map(([name, cents]) => {
    balance += cents;
    return `${date};${date};"${name}";${comma(cents)};${comma(balance)};EUR`;
  });
  const head = 'Buchungstag;Wertstellung;Verwendungszweck;Betrag;Saldo;Währung';
  return { name: `Umsaetze_0713_${day}.csv`, text: `${[head, ...lines.toReversed()].join('\n')}\n` };
}

function comma(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',');
}
