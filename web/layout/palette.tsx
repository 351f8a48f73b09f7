import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';

import type { Session } from '../api/session.ts';
import { findOptions, type Option } from '../components/pickers/find-options.ts';
import { counted } from '../lib/numbers.ts';
import { closePalette } from './command-palette.tsx';
import { usePaletteCommands } from './palette-commands.tsx';
import { useFoundTransactions } from './palette-transactions.tsx';

/** What can be taken from the list. */
export interface Command extends Option {
  /** What it is, at the end of its line. */
  kind: ReactNode;
  /** Listed before anything is typed. */
  isAlways?: boolean;
  run: () => void;
}

const MOST = 12;
const KEPT = 6;
/** What was taken last, newest first. Of this tab only: nothing of the household is kept on the device. */
let recent: readonly Command[] = [];

export default function Palette({ session }: { session: Session | undefined }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [isWaited, setWaited] = useState(false);
  const commands = usePaletteCommands(session);
  const transactions = useFoundTransactions(text);
  const groups = groupsOf(text, commands, transactions.commands);
  const found = groups.flatMap((group) => group.commands);
  const active = Math.min(at, found.length - 1);
  const chosen = found[active];

  function choose(command: Command): void {
    recent = [command, ...recent.filter(({ id }) => id !== command.id)].slice(0, KEPT);
    closePalette();
    command.run();
  }

  useEffect(() => {
    // Enter came before the answer.
    if (isWaited && !transactions.isAsked && chosen) choose(chosen);
  });

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((active + step + found.length) % found.length);
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (chosen) choose(chosen);
      else setWaited(transactions.isAsked);
    }
  }

  return (
    <Field
      text={text}
      groups={groups}
      chosen={chosen}
      isAsked={transactions.isAsked}
      onKey={press}
      onChoose={choose}
      onPoint={(command) => setAt(found.indexOf(command))}
      onType={(typed) => {
        setText(typed);
        setAt(0);
        setWaited(false);
      }}
    />
  );
}

interface Group {
  title: string;
  commands: readonly Command[];
}

/** Transactions come last: they are answered later, and nothing that is there already may move. */
function groupsOf(text: string, commands: readonly Command[], transactions: readonly Command[]): Group[] {
  const isEmpty = text.trim() === '';
  const groups = isEmpty
    ? [
        { title: 'Recent', commands: recent },
        { title: 'Pages and actions', commands: commands.filter(({ isAlways }) => isAlways === true) },
      ]
    : [
        { title: 'Found', commands: matching(text, commands) },
        { title: 'Transactions', commands: transactions },
      ];
  return groups.filter((group) => group.commands.length > 0);
}

function matching(text: string, commands: readonly Command[]): Command[] {
  const known = new Map(commands.map((command) => [command.id, command]));
  const { items } = findOptions(commands, { text, first: recent.map(({ id }) => id), create: undefined });
  return items.slice(0, MOST).flatMap(({ id }) => known.get(id) ?? []);
}

interface FieldProps {
  text: string;
  groups: readonly Group[];
  chosen: Command | undefined;
  isAsked: boolean;
  onKey: (event: KeyboardEvent) => void;
  onType: (text: string) => void;
  onPoint: (command: Command) => void;
  onChoose: (command: Command) => void;
}

function Field({ text, groups, chosen, isAsked, onKey, onType, onPoint, onChoose }: FieldProps) {
  const id = useId();
  const count = groups.reduce((sum, { commands }) => sum + commands.length, 0);
  const optionId = (command: Command): string => `${id}-${command.id}`;
  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  return (
    <>
      <input
        role="combobox"
        aria-label="Search transactions, accounts, rules, pages and actions"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && optionId(chosen)}
        aria-autocomplete="list"
        className="field target"
        placeholder="Shop, amount, account, page or action"
        value={text}
        autoComplete="off"
        spellCheck={false}
        data-may-be-lost
        onKeyDown={onKey}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found" className="mt-2 h-[50dvh] overflow-y-auto">
        {groups.map(({ title, commands }) => (
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden className="px-3 pt-2 pb-1 text-xs font-medium text-muted">
              {title}
            </p>
            {commands.map((command) => (
              <Line
                key={command.id}
                id={optionId(command)}
                command={command}
                isActive={command === chosen}
                onPoint={() => onPoint(command)}
                onChoose={() => onChoose(command)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className="px-3 pt-1 text-sm text-muted">
        {isAsked ? 'Looking for transactions' : count === 0 ? 'Nothing matches.' : null}
        {!isAsked && count > 0 && <span className="sr-only">{counted(count, 'choice')}</span>}
      </p>
    </>
  );
}

interface LineProps {
  id: string;
  command: Command;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

/** The keyboard stays in the field above, which names the active option; here the pointer chooses. */
function Line({ id, command: { label, hint, leading, kind }, isActive, onPoint, onChoose }: LineProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- see above
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="target flex cursor-pointer items-center gap-3 rounded-control px-3 py-1 aria-selected:chosen aria-selected:bg-accent-soft"
      // A list that appears below a resting pointer is not pointed at.
      onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && onPoint()}
      onClick={onChoose}
    >
      {leading}
      <span className="min-w-0 flex-1">
        <bdi className="block truncate">{label}</bdi>
        {hint !== undefined && <span className="block truncate text-sm text-muted">{hint}</span>}
      </span>
      <span className="shrink-0 text-sm text-muted">{kind}</span>
    </div>
  );
}
