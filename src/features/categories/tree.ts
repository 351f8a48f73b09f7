import type { CategoriesTable } from '../../db/schema.ts';

export type Node = Pick<CategoriesTable, 'id' | 'parent_id' | 'is_archived'>;

interface PlaceProblem {
  field: 'parent_id' | 'archived';
  message: string;
}

/** The places of categories in their tree. */
interface Tree {
  /** What is wrong with the place of a category: there are two levels, and nothing live is under an archived parent. */
  problemAt(id: string): PlaceProblem | null;
}

/** Reads the tree once, for any number of questions. */
export function treeOf(nodes: Iterable<Node>): Tree {
  const byId = new Map<string, Node>();
  const withChildren = new Set<string>();
  const withLiveChildren = new Set<string>();
  for (const node of nodes) {
    byId.set(node.id, node);
    if (node.parent_id === null) continue;
    withChildren.add(node.parent_id);
    if (node.is_archived === 0) withLiveChildren.add(node.parent_id);
  }
  return {
    problemAt(id) {
      const node = byId.get(id);
      if (!node) return null;
      if (node.is_archived === 1 && withLiveChildren.has(id)) return HAS_LIVE_CHILDREN;
      if (node.parent_id === null) return null;
      const parent = byId.get(node.parent_id);
      if (node.parent_id === id) return ITSELF;
      if (!parent || parent.parent_id !== null) return TOO_DEEP;
      if (withChildren.has(id)) return HAS_CHILDREN;
      return node.is_archived === 0 && parent.is_archived === 1 ? UNDER_ARCHIVED : null;
    },
  };
}

const ITSELF: PlaceProblem = { field: 'parent_id', message: 'a category cannot be its own parent' };
const TOO_DEEP: PlaceProblem = {
  field: 'parent_id',
  message: 'a parent must be a top-level category, because there are only two levels',
};
const HAS_CHILDREN: PlaceProblem = {
  field: 'parent_id',
  message: 'this category has children, so it stays at the top level; move them first',
};
const UNDER_ARCHIVED: PlaceProblem = {
  field: 'archived',
  message: 'its parent is archived; unarchive the parent first, or choose another one',
};
export const HAS_LIVE_CHILDREN: PlaceProblem = { field: 'archived', message: 'it has children that are in use' };
