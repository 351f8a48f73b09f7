import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { Plugin } from 'rolldown';

import type { AnyOperation } from '../../src/contract/operation.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Each contract, and the library of schemas, is a chunk of its own, so that each can be loaded alone. */
export const CHUNKS = [
  { name: 'zod', test: /\/node_modules\/zod\// },
  {
    name: (id: string) => `contract-${/([^/]+)\.ts$/.exec(id)?.[1] ?? ''}`,
    debugName: 'contracts',
    test: /\.contract\.ts$|\/src\/contract\/(?!registry|operation)[\w-]+\.ts$/,
  },
];

/** Not in the registry: what has schemas, whose making takes a third of a start, and long texts. */
const LATER = new Set('params query body form response answers summary description example'.split(' '));

const LATE = `
function late(now, whole, names) {
  for (const name of names) Object.defineProperty(now, name, { enumerable: true, get: () => whole()[name] });
  return now;
}`;

/** The registry of a build has what a start reads of each operation; the rest comes from its contract when it is first read. */
export function lateOperations(root: string): Plugin {
  const registryFile = join(root, 'src/contract/registry.ts');
  return {
    name: 'late-operations',
    async transform(code, id) {
      if (id !== registryFile) return null;
      const files = [...code.matchAll(/^import \{ operations as \w+ \} from '([^']+)';$/gm)].map(
        ([, path]) => `${path}`,
      );
      const places = new Map<AnyOperation, string>();
      for (const [number, file] of files.entries()) {
        const { operations } = (await import(join(root, 'src/contract', file))) as { operations: AnyOperation[] };
        for (const [index, operation] of operations.entries())
          places.set(operation, `file${number}.operations[${index}]`);
      }
      const registry = (await import(registryFile)) as Readonly<Record<string, readonly AnyOperation[]>>;
      const lists = Object.entries(registry).map(([name, operations]) => {
        const texts = operations.map((operation) => lateOperation(operation, places.get(operation)));
        return `export const ${name} = [\n${texts.join(',\n')}\n];`;
      });
      const imports = files.map((file, number) => `import * as file${number} from '${file}';`);
      return [...imports, LATE, ...lists].join('\n');
    },
  };
}

function lateOperation(operation: AnyOperation, place: string | undefined): string {
  if (place === undefined) throw new Error(`${operation.name} is in no contract.`);
  const { upload, ...fields } = operation;
  if (upload === undefined) return late(fields, place);
  return `Object.assign(${late(fields, place)}, { upload: ${late({ ...upload }, `${place}.upload`)} })`;
}

function late(from: Fields, place: string): string {
  const now = Object.fromEntries(Object.entries(from).filter(([name, value]) => !isLater(name, value)));
  const text = JSON.stringify(now);
  if (!isDeepStrictEqual(JSON.parse(text), now)) throw new Error(`A new field of ${place} belongs into LATER.`);
  const names = Object.keys(from).filter((name) => isLater(name, from[name]));
  return `late(${text}, () => ${place}, ${JSON.stringify(names)})`;
}

/** A weight that depends on the input is a function of its contract; any other must load nothing. */
function isLater(name: string, value: unknown): boolean {
  return LATER.has(name) || (name === 'weight' && typeof value === 'function');
}

const REQUIRE = /^const (require_\w+) = require\("(\.\/[^"]+)"\);\n/gm;

/** Loads each chunk where something of it is first used: what a start imports, it mostly does not call. */
export function lateRequires(): Plugin {
  return {
    name: 'late-requires',
    renderChunk(code) {
      let text = code;
      for (const [line, name, file] of code.matchAll(REQUIRE)) {
        const rest = text.replace(line, '');
        if (new RegExp(`\\b${name}\\b(?!\\.)`).test(rest)) continue;
        text = rest
          .replaceAll(new RegExp(`\\bnew ${name}\\.`, 'g'), `new (${name}()).`)
          .replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `${name}().`);
        text += `\nvar loaded_${name};\nfunction ${name}() { return loaded_${name} ??= require("${file}"); }\n`;
      }
      return text;
    },
  };
}

/** Escapes what is beyond ASCII: one such letter doubles the memory that the text of a file takes. */
export function inAscii(): Plugin {
  return {
    name: 'in-ascii',
    // After everything else: rolldown prints a chunk again after `renderChunk`, without its escapes.
    generateBundle(_options, files) {
      for (const file of Object.values(files)) if (file.type === 'chunk') file.code = escaped(file.code);
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
