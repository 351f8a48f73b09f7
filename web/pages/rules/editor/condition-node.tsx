import { ArrowDown, ArrowUp, CircleSlash, Ellipsis, Group as GroupIcon, Plus, Trash2, Ungroup } from 'lucide-react';
import { useId, type ReactNode } from 'react';

import { METADATA, type Operator } from '../../../../src/engines/rules/language.ts';
import { RULE_LIMITS } from '../../../../src/engines/rules/rule-limits.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { Menu, type MenuItem } from '../../../components/menu.tsx';
import type { Editing } from './use-tree.ts';
import { withField, withOperator } from './tests.ts';
import {
  add,
  beyondLimits,
  canUnwrap,
  groupOf,
  leafOf,
  move,
  negate,
  remove,
  setKind,
  setTest,
  unwrap,
  wrap,
  type Group,
  type Leaf,
  type Node,
} from './tree.ts';
import { NEW_TEST } from './tests.ts';
import { testOf, Values } from './value-inputs.tsx';
import { FIELD_GROUPS, operatorInWords, operatorsFor, shapeOf } from './words.ts';

interface NodeProps {
  node: Node;
  editing: Editing;
  /** "2.1": its place among the others. */
  place: string;
}

/** A row or a group, with whatever negates it in front. */
export function ConditionNode({ node, editing, place }: NodeProps) {
  let inner = node;
  let nots = 0;
  while (inner.kind === 'not') {
    inner = inner.child;
    nots += 1;
  }
  const not = Array.from({ length: nots }, (_, index) => (
    <NotChip key={index} onRemove={() => editing.change(negate(editing.tree, node.id), inner.id, 'menu')} />
  ));
  return inner.kind === 'leaf' ? (
    <Row leaf={inner} not={not} editing={editing} place={place} />
  ) : (
    <GroupBox group={inner} not={not} editing={editing} place={place} />
  );
}

/** It is pressed to take it away. */
function NotChip({ onRemove }: { onRemove: () => void }) {
  return (
    <button
      type="button"
      title="Take “not” away"
      className="min-h-7 shrink-0 rounded-control bg-warning-soft px-2 text-sm font-semibold text-ink pointer-coarse:min-h-11"
      onClick={onRemove}
    >
      not
    </button>
  );
}

interface PartProps {
  not: ReactNode;
  editing: Editing;
  place: string;
}

/** As wide as what is chosen, so that rows read like a sentence. */
const SELECT = 'field field-sizing-content min-h-9 w-auto! max-w-full py-1 pointer-coarse:min-h-11';

function Row({ leaf, not, editing, place }: PartProps & { leaf: Leaf }) {
  const errorId = useId();
  const problems = editing.problemsOf(leaf.id);
  const describedBy = problems.length > 0 ? errorId : undefined;
  const change = (next: Parameters<typeof setTest>[2]): void => editing.change(setTest(editing.tree, leaf.id, next));
  const test = testOf(leaf);
  return (
    <div role="group" aria-label={`Condition ${place}`} data-node={leaf.id} className="py-1">
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
          {not}
          <FieldSelect leaf={leaf} onChange={(field) => change(withField(test, field))} />
          <select
            aria-label="Comparison"
            data-part="op"
            value={leaf.op}
            onChange={(event) => change(withOperator(test, event.currentTarget.value as Operator))}
            className={SELECT}
          >
            {operatorOptions(leaf).map((op) => (
              <option key={op} value={op}>
                {operatorInWords(op, leaf.field)}
              </option>
            ))}
          </select>
          <span className="flex min-w-0 flex-1 basis-28 flex-wrap items-center gap-2 empty:hidden">
            <Values leaf={leaf} onChange={change} describedBy={describedBy} />
          </span>
        </div>
        <NodeButtons node={leaf} editing={editing} place={place} />
      </div>
      <Problems id={errorId} messages={problems} />
    </div>
  );
}

function operatorOptions({ field, op }: Leaf): readonly Operator[] {
  const known = operatorsFor(field);
  return known.includes(op) ? known : [op, ...known];
}

const ANY_METADATA = 'metadata';

function FieldSelect({ leaf: { field }, onChange }: { leaf: Leaf; onChange: (field: string) => void }) {
  const isMetadata = field.startsWith(METADATA);
  return (
    <>
      <select
        aria-label="Field"
        data-part="field"
        value={isMetadata ? ANY_METADATA : field}
        onChange={({ currentTarget: { value } }) => onChange(value === ANY_METADATA ? METADATA : value)}
        className={SELECT}
      >
        {shapeOf(field) === undefined && <option value={field}>{field} (no field)</option>}
        {FIELD_GROUPS.map(({ title, fields }) => (
          <optgroup key={title} label={title}>
            {fields.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
        <optgroup label="Your own">
          <option value={ANY_METADATA}>Metadata</option>
        </optgroup>
      </select>
      {isMetadata && (
        <input
          aria-label="Key of the metadata"
          placeholder="Key"
          value={field.slice(METADATA.length)}
          maxLength={RULE_LIMITS.metadataKeyChars}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(`${METADATA}${event.currentTarget.value}`)}
          className={`${SELECT} min-w-24`}
        />
      )}
    </>
  );
}

const KINDS = { and: 'All of these', or: 'Any of these' } as const;

function GroupBox({ group, not, editing, place }: PartProps & { group: Group }) {
  const errorId = useId();
  const problems = editing.problemsOf(group.id);
  const isRoot = place === '';
  return (
    <div role="group" aria-label={isRoot ? 'Conditions' : `Group ${place}`} data-node={group.id}>
      <div className="flex items-center gap-2 py-1">
        {not}
        <select
          aria-label={isRoot ? 'How many must be true' : `How many of group ${place} must be true`}
          aria-describedby={problems.length > 0 ? errorId : undefined}
          data-part="field"
          value={group.kind}
          onChange={({ currentTarget: { value } }) =>
            editing.change(setKind(editing.tree, group.id, value as Group['kind']))
          }
          className={`${SELECT} font-medium`}
        >
          {Object.entries(KINDS).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
        <span className="flex-1" />
        <NodeButtons node={group} editing={editing} place={place} />
      </div>
      <Problems id={errorId} messages={problems} />
      <div className="ml-2 border-l-2 border-line pl-3 max-sm:ml-0.5 max-sm:pl-2">
        {group.children.map((child, at) => (
          <ConditionNode
            key={innermost(child).id}
            node={child}
            editing={editing}
            place={isRoot ? `${at + 1}` : `${place}.${at + 1}`}
          />
        ))}
        <AddButtons into={group.id} editing={editing} />
      </div>
    </div>
  );
}

function innermost(node: Node): Node {
  return node.kind === 'not' ? innermost(node.child) : node;
}

/** Adds to a group; without one beside everything there is. */
export function AddButtons({ into, editing }: { into?: string; editing: Editing }) {
  const { tree } = editing;
  const insert = (node: Leaf | Group, focus: string): void => editing.change(add(tree, node, into), focus, 'field');
  const whyNot = (sample: Node): string | undefined => beyondLimits(add(tree, sample, into));
  return (
    <div className="flex flex-wrap gap-1 py-1">
      <Button
        look="quiet"
        icon={Plus}
        data-part="add"
        className="-ml-2 text-sm text-muted"
        disabledReason={whyNot(leafOf(NEW_TEST))}
        onClick={() => {
          const leaf = leafOf(NEW_TEST);
          insert(leaf, leaf.id);
        }}
      >
        Condition
      </Button>
      {tree !== null && (
        <Button
          look="quiet"
          icon={GroupIcon}
          className="text-sm text-muted"
          disabledReason={whyNot(groupOf(leafOf(NEW_TEST)))}
          onClick={() => {
            const leaf = leafOf(NEW_TEST);
            insert({ ...groupOf(leaf), kind: 'or' }, leaf.id);
          }}
        >
          Group
        </Button>
      )}
    </div>
  );
}

const SMALL =
  'min-w-8! min-h-9! px-1! text-muted aria-disabled:border-transparent! aria-disabled:bg-transparent! aria-disabled:opacity-40 pointer-coarse:min-w-11! pointer-coarse:min-h-11!';

function NodeButtons({ node, editing, place }: { node: Leaf | Group; editing: Editing; place: string }) {
  const { tree } = editing;
  const name = place === '' ? 'all conditions' : `${node.kind === 'leaf' ? 'condition' : 'group'} ${place}`;
  const [up, down] = [move(tree, node.id, -1), move(tree, node.id, 1)];
  return (
    <span className="flex shrink-0 items-center">
      {place !== '' && (
        <>
          <MoveButton icon={ArrowUp} label={`Move ${name} up`} part="up" to={up} node={node} editing={editing} />
          <MoveButton
            icon={ArrowDown}
            label={`Move ${name} down`}
            part="down"
            to={down}
            node={node}
            editing={editing}
          />
        </>
      )}
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`More for ${name}`} data-part="menu" className={SMALL} />}
        items={itemsOf(node, editing, place === '' ? [] : [up, down])}
      />
      <IconButton
        icon={Trash2}
        label={`Remove ${name}`}
        className={SMALL}
        onClick={() => editing.removed(remove(tree, node.id), node.id)}
      />
    </span>
  );
}

/** Where there is no room for buttons, moving is in the menu, too. */
function itemsOf(node: Leaf | Group, editing: Editing, moves: readonly ReturnType<typeof move>[]): MenuItem[] {
  const { tree } = editing;
  return [
    ...moves.map((to, at) => ({
      label: at === 0 ? 'Move up' : 'Move down',
      icon: at === 0 ? ArrowUp : ArrowDown,
      disabledReason: to === undefined ? NO_PLACE : beyondLimits(to),
      onSelect: () => to !== undefined && editing.change(to, node.id, 'menu'),
    })),
    {
      label: 'Say the opposite',
      icon: CircleSlash,
      onSelect: () => editing.change(negate(tree, node.id), node.id, 'menu'),
      ...why(negate(tree, node.id)),
    },
    {
      label: 'Put into a group',
      icon: GroupIcon,
      onSelect: () => editing.change(wrap(tree, node.id), node.id, 'menu'),
      ...why(wrap(tree, node.id)),
    },
    ...(node.kind === 'leaf'
      ? []
      : [
          {
            label: 'Dissolve the group',
            icon: Ungroup,
            disabledReason: canUnwrap(tree, node.id) ? undefined : 'The rule would say something else.',
            onSelect: () => editing.change(unwrap(tree, node.id), node.children[0]?.id, 'field'),
          },
        ]),
  ];
}

function why(tree: ReturnType<typeof negate>): Pick<MenuItem, 'disabledReason'> {
  return { disabledReason: beyondLimits(tree) };
}

const NO_PLACE = 'There is no place beyond it.';

interface MoveButtonProps {
  icon: typeof ArrowUp;
  label: string;
  part: 'up' | 'down';
  to: ReturnType<typeof move>;
  node: Leaf | Group;
  editing: Editing;
}

function MoveButton({ icon, label, part, to, node, editing }: MoveButtonProps) {
  const reason = to === undefined ? NO_PLACE : beyondLimits(to);
  return (
    <IconButton
      icon={icon}
      label={label}
      data-part={part}
      className={`${SMALL} max-sm:hidden`}
      disabledReason={reason}
      onClick={() => to !== undefined && editing.change(to, node.id, part)}
    />
  );
}

export function Problems({ id, messages }: { id: string; messages: readonly string[] }) {
  return (
    <div id={id} role="alert" className="mt-1 text-sm font-medium text-danger empty:hidden">
      {messages.length > 0 && (
        <ul>
          {messages.map((message) => (
            <li key={message} className="wrap-anywhere">
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
