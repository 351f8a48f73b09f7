import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fold } from '../../kernel/fold.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { restartSchedule } from './schedule.ts';
import { columnsOf, type WorkflowFields } from './workflow-fields.ts';
import { RESERVED_SLUGS } from './workflow-record.contract.ts';
import { workflows } from './workflows.entity.ts';
import { selectSlugsLike } from './workflows.queries.ts';

/** Adds a workflow whose fields have been checked, and begins its schedule. */
export async function createWorkflowRow(tx: WriteTx, fields: WorkflowFields): Promise<WorkflowsTable> {
  const row = await workflows.create(tx, columnsOf(fields));
  await restartSchedule(tx, row.id);
  return row;
}

/** For a name without a Latin letter or digit. */
const FALLBACK = 'workflow';

/** The slug made from a name, whether or not it is free. */
export function slugOfName(name: string): string {
  const slug = trimmed(trimmed(fold(name).replaceAll(/[^a-z0-9]+/g, '-')).slice(0, LIMITS.workflowSlugChars));
  return slug === '' ? FALLBACK : slug;
}

/** This slug, or else the first of `-2`, `-3` … that is free; a longer one gives up its last letters for that. */
export async function freeSlug(tx: ReadTx, wanted: string): Promise<string> {
  const taken = new Set([...RESERVED_SLUGS, ...(await selectSlugsLike(tx, wanted.slice(0, SHARED_CHARS)))]);
  let slug = wanted;
  for (let number = 2; taken.has(slug); number++) {
    const suffix = `-${number}`;
    slug = trimmed(wanted.slice(0, LIMITS.workflowSlugChars - suffix.length)) + suffix;
  }
  return slug;
}

/** What the slug and all those made from it begin with, however long the number. */
const SHARED_CHARS = 40;

function trimmed(slug: string): string {
  return slug.replaceAll(/^-+|-+$/g, '');
}
