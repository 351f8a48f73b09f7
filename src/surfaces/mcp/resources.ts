import { GUIDES } from '../../features/agent-tools/guides/guides.ts';

type Json = Readonly<Record<string, unknown>>;

/** A resource: what a tool answers, under an address. */
interface Resource {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
  tool: string;
  arguments: Json;
  /** The text of the resource, from the result of the tool. */
  text: (result: Json) => string;
}

const JSON_TYPE = 'application/json';
const TRANSACTION = /^homeledger:\/\/transactions\/([^/?#]+)$/;

/** Everything with a fixed address (contract 70.6). */
export const RESOURCES: readonly Resource[] = [
  listed('overview', 'The household at a glance', 'get_overview'),
  listed('accounts', 'Accounts', 'list_accounts'),
  {
    ...listed('categories', 'The tree of categories', 'list_categories'),
    text: (result) => JSON.stringify(asTree(result)),
  },
  listed('tags', 'Tags', 'list_tags'),
  ...GUIDES.map((topic) => ({
    ...listed(`guides/${topic}`, `Guide: ${topic}`, 'get_guide'),
    mimeType: 'text/markdown',
    arguments: { topic },
    text: ({ markdown }: Json) => String(markdown),
  })),
];

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'homeledger://transactions/{id}',
    name: 'transaction',
    title: 'A transaction with its history',
    mimeType: JSON_TYPE,
  },
] as const;

/** The resource at an address; undefined if there is none. */
export function findResource(uri: string): Resource | undefined {
  const id = TRANSACTION.exec(uri)?.[1];
  if (id === undefined) return RESOURCES.find((resource) => resource.uri === uri);
  return { ...listed('', 'A transaction', 'get_transaction'), uri, arguments: { transaction_id: id } };
}

function listed(path: string, title: string, tool: string): Resource {
  const name = path.split('/').at(-1) ?? path;
  return {
    uri: `homeledger://${path}`,
    name,
    title,
    mimeType: JSON_TYPE,
    tool,
    arguments: {},
    text: (it) => JSON.stringify(it),
  };
}

interface Category {
  slug: string;
  parent?: string;
}

/** Categories below their parents instead of after them. */
function asTree(result: Json): Json {
  const { categories } = result as { categories: readonly Category[] };
  const nodes = new Map(categories.map((category) => [category.slug, { ...category, children: [] as Category[] }]));
  const roots: Category[] = [];
  for (const node of nodes.values()) {
    const { children: siblings } = nodes.get(node.parent ?? '') ?? { children: roots };
    siblings.push(node);
  }
  return { ...result, categories: roots };
}
