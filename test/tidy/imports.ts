import { posix } from 'node:path';

import type { Problem, SourceFile } from './tree.ts';

/** A part of the tree and what it may import. The first zone that covers a file decides. */
interface Zone {
  name: string;
  covers: RegExp;
  /** Repository paths it may import; everything when absent. `{feature}` stands for the file's own feature. */
  may?: readonly string[];
  /** npm packages it may import; everything when absent. */
  packages?: readonly string[];
  pure?: true;
}

const CONTRACTS = [
  '^src/contract/',
  '\\.contract\\.ts$',
  '^src/kernel/(limits|errors|money|dates|credentials|dollars|model-address|scopes)\\.ts$',
];
const CLI = [...CONTRACTS, '^src/kernel/', '^src/surfaces/cli/'];

/** Server commands work on the local database, through what features and the journal offer. */
const SERVER_COMMANDS = [
  ...CLI,
  '^src/app\\.ts$',
  '^src/journal/',
  '^src/features/[^/]+/index\\.ts$',
  '^src/surfaces/mcp/',
  '^simulators/',
];

/** What the browser loads. A new one costs every first visit: docs/decisions/0019-dashboard.md. */
const DASHBOARD_PACKAGES = [
  'qr',
  'react',
  'react-dom',
  '@tanstack/react-router',
  '@tanstack/react-query',
  '@radix-ui/react-dropdown-menu',
  '@radix-ui/react-tabs',
  'downshift',
  'react-hook-form',
  '@hookform/resolvers',
  'lucide-react',
  'zod',
  // Types of `mdast` are not in the bundle.
  'mdast',
  'mdast-util-from-markdown',
  'mdast-util-gfm-strikethrough',
  'mdast-util-gfm-table',
  'mdast-util-gfm-task-list-item',
  'micromark-extension-gfm-strikethrough',
  'micromark-extension-gfm-table',
  'micromark-extension-gfm-task-list-item',
];

const ZONES: readonly Zone[] = [
  { name: 'a contract', covers: /^src\/contract\/|\.contract\.ts$/, may: CONTRACTS, packages: ['zod'], pure: true },
  {
    name: 'the kernel’s edge',
    covers: /^src\/kernel\/(config|network|private-folder|standard-error)\.ts$/,
    may: ['^src/kernel/'],
  },
  { name: 'the kernel', covers: /^src\/kernel\//, may: ['^src/kernel/'], pure: true },
  { name: 'an engine', covers: /^src\/engines\//, may: ['^src/kernel/', '^src/engines/'], pure: true },
  {
    name: 'a feature',
    covers: /^src\/features\/[^/]+\//,
    may: [
      '^src/(kernel|db|journal|engines|contract)/',
      '^src/(providers|models)/[^/]+\\.ts$',
      '^src/features/{feature}/',
      '^src/features/[^/]+/(index|[^/]+\\.contract)\\.ts$',
      '^src/features/[^/]+\\.ts$',
    ],
  },
  { name: 'a model', covers: /^src\/models\//, may: ['^src/kernel/', '^src/models/'] },
  { name: 'a provider', covers: /^src\/providers\//, may: ['^src/kernel/', '^src/providers/'] },
  { name: 'a server command', covers: /^src\/surfaces\/cli\/server\//, may: SERVER_COMMANDS },
  { name: 'the command line', covers: /^src\/surfaces\/cli\//, may: CLI },
  {
    name: 'the dashboard',
    covers: /^web\//,
    may: [...CONTRACTS, '^src/kernel/fold\\.ts$', '^src/engines/rules/(language|rule-limits)\\.ts$', '^docs/', '^web/'],
    packages: DASHBOARD_PACKAGES,
    pure: true,
  },
  { name: 'the program', covers: /^src\//, may: ['^src/', '^simulators/'] },
];

const SURFACE_USERS = /^(src\/(app|main)\.ts$|src\/surfaces\/|test\/|tools\/|bench\/)/;
const INPUT_OUTPUT =
  /^node:(fs|net|http|https|http2|tls|dns|dgram|child_process|cluster|worker_threads|sqlite|repl)(\/|$)/;

export function checkImports(file: SourceFile): Problem[] {
  if (!file.isCode || /\.test\.tsx?$/.test(file.path)) return [];
  const zone = ZONES.find(({ covers }) => covers.test(file.path));
  return file.imports().flatMap(({ specifier, line }) => {
    const reason = specifier.startsWith('.')
      ? forbiddenPath(zone, file.path, posix.join(posix.dirname(file.path), specifier))
      : forbiddenPackage(zone, specifier);
    return reason === undefined ? [] : [{ line, message: reason }];
  });
}

function forbiddenPath(zone: Zone | undefined, from: string, target: string): string | undefined {
  if (target.startsWith('src/surfaces/') && !SURFACE_USERS.test(from)) {
    return `only src/app.ts and src/main.ts may import a surface (${target})`;
  }
  const feature = /^src\/features\/([^/]+)\//.exec(from)?.[1] ?? '';
  const may = zone?.may?.map((pattern) => new RegExp(pattern.replace('{feature}', RegExp.escape(feature))));
  if (!zone || !may || may.some((pattern) => pattern.test(target))) return undefined;
  return `${zone.name} may not import ${target}`;
}

function forbiddenPackage(zone: Zone | undefined, specifier: string): string | undefined {
  if (zone?.pure && INPUT_OUTPUT.test(specifier)) return `${zone.name} does no input or output (${specifier})`;
  if (!zone?.packages) return undefined;
  const allowed = zone.packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return allowed ? undefined : `${zone.name} may not import the package ${specifier}`;
}
