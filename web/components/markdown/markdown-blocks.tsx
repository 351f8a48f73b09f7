import { Square, SquareCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import { LINK } from '../../lib/page-link.tsx';
import { TransactionLink } from '../transaction/transaction-link.tsx';
import { AmountsInText } from '../money.tsx';
import type { LinkTarget } from './link-target.ts';
import type { Block, Inline, ListItem } from './markdown-document.ts';

interface Shown {
  /** Whether a link shows where it leads: what no person wrote may say otherwise. */
  withHosts: boolean;
}

/** A document as elements. There is no other way for its text into the page. */
export function Blocks({ blocks, ...shown }: { blocks: readonly Block[] } & Shown) {
  return blocks.map((block, index) => <BlockElement key={index} block={block} {...shown} />);
}

const HEADINGS = {
  2: 'mt-6 mb-2 text-xl font-semibold first:mt-0',
  3: 'mt-5 mb-2 text-lg font-semibold first:mt-0',
  4: 'mt-4 mb-1 font-semibold first:mt-0',
} as const;

function BlockElement({ block, ...shown }: { block: Block } & Shown): ReactNode {
  if (block.type === 'rule') return <hr className="my-6 border-line-strong" />;
  if (block.type === 'heading') return <HeadingElement heading={block} {...shown} />;
  if (block.type === 'list') return <ListElement list={block} {...shown} />;
  if (block.type === 'table') return <TableElement table={block} {...shown} />;
  if (block.type === 'code') {
    return (
      <pre className="mb-3 rounded-control border border-line bg-sunken p-3 text-sm whitespace-pre-wrap">
        <code className="font-mono">
          <AmountsInText text={block.text} />
        </code>
      </pre>
    );
  }
  if (block.type === 'quote') {
    return (
      <blockquote className="mb-3 border-l-4 border-line-strong pl-3 text-muted">
        <Blocks blocks={block.children} {...shown} />
      </blockquote>
    );
  }
  const isSource = block.type === 'source';
  return (
    <p dir="auto" className={`mb-3 last:mb-0 ${isSource ? 'whitespace-pre-wrap' : ''}`}>
      {isSource ? <AmountsInText text={block.text} /> : <Inlines list={block.children} {...shown} />}
    </p>
  );
}

function HeadingElement({ heading, ...shown }: { heading: Extract<Block, { type: 'heading' }> } & Shown) {
  const Heading = `h${heading.level}` as 'h2';
  return (
    <Heading dir="auto" className={HEADINGS[Math.min(heading.level, 4) as keyof typeof HEADINGS]}>
      <Inlines list={heading.children} {...shown} />
    </Heading>
  );
}

function ListElement({ list: { start, items }, ...shown }: { list: Extract<Block, { type: 'list' }> } & Shown) {
  const entries = items.map((item, index) => <ItemElement key={index} item={item} {...shown} />);
  if (start === null) return <ul className="mb-3 list-disc space-y-1 pl-6 [&_p]:mb-1">{entries}</ul>;
  return (
    <ol start={start} className="mb-3 list-decimal space-y-1 pl-6 [&_p]:mb-1">
      {entries}
    </ol>
  );
}

function ItemElement({ item: { isDone, children }, ...shown }: { item: ListItem } & Shown) {
  if (isDone === null) {
    return (
      <li>
        <Blocks blocks={children} {...shown} />
      </li>
    );
  }
  const Icon = isDone ? SquareCheck : Square;
  return (
    <li className="-ml-6 flex list-none gap-2">
      <Icon aria-hidden size={18} className="mt-1 shrink-0 text-muted" />
      <span className="sr-only">{isDone ? 'Done: ' : 'To do: '}</span>
      <div className="min-w-0">
        <Blocks blocks={children} {...shown} />
      </div>
    </li>
  );
}

const ALIGN: Readonly<Record<string, string>> = { right: 'text-right tabular-nums', center: 'text-center' };

function TableElement({ table: { align, rows }, ...shown }: { table: Extract<Block, { type: 'table' }> } & Shown) {
  const [head = [], ...body] = rows;
  const alignOf = (column: number): string => ALIGN[align[column] ?? ''] ?? 'text-left';
  return (
    // A wide table scrolls by itself, also by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div role="region" aria-label="Table" tabIndex={0} className="mb-3 overflow-x-auto">
      <table className="border-collapse">
        <thead>
          <tr className="border-b border-line-strong">
            {head.map((cell, column) => (
              <th key={column} scope="col" dir="auto" className={`px-3 py-1.5 first:pl-0 ${alignOf(column)}`}>
                <Inlines list={cell} {...shown} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index} className="border-b border-line last:border-b-0">
              {row.map((cell, column) => (
                <td key={column} dir="auto" className={`px-3 py-1.5 align-top first:pl-0 ${alignOf(column)}`}>
                  <Inlines list={cell} {...shown} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inlines({ list, ...shown }: { list: readonly Inline[] } & Shown) {
  return list.map((inline, index) => <InlineElement key={index} inline={inline} {...shown} />);
}

const TAGS = { strong: 'strong', emphasis: 'em', delete: 'del' } as const;

function InlineElement({ inline, ...shown }: { inline: Inline } & Shown): ReactNode {
  if (inline.type === 'text') return <AmountsInText text={inline.text} />;
  if (inline.type === 'break') return <br />;
  if (inline.type === 'code') {
    return (
      <code className="rounded-sm bg-sunken px-1 font-mono text-[0.9em]">
        <AmountsInText text={inline.text} />
      </code>
    );
  }
  const children = <Inlines list={inline.children} {...shown} />;
  if (inline.type === 'link') {
    return (
      <LinkElement target={inline.target} {...shown}>
        {children}
      </LinkElement>
    );
  }
  const Tag = TAGS[inline.type];
  return <Tag>{children}</Tag>;
}

/** Marks that turn the direction of text end with the link, and cannot move the host to another place. */
function LinkElement({ target, withHosts, children }: { target: LinkTarget; children: ReactNode } & Shown) {
  const text = <bdi>{children}</bdi>;
  if (target.kind === 'transaction') return <TransactionLink id={target.id}>{text}</TransactionLink>;
  if (target.kind === 'page') {
    return (
      <a href={target.path} className={LINK}>
        {text}
      </a>
    );
  }
  return (
    <>
      <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" className={LINK}>
        {text}
      </a>
      {withHosts && (
        <>
          {' '}
          <bdi className="text-sm text-muted">({target.host})</bdi>
        </>
      )}
    </>
  );
}
