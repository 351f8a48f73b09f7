import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';

/** A small piece of an XML file: one account, one balance, one entry without its details, one detail. */
export class CamtNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: CamtNode[] = [];
  #text = '';

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.attributes = attributes;
  }

  append(text: string): void {
    this.#text += text;
    if (this.#text.length > LIMITS.importFieldBytes)
      throw new AppError(
        'INVALID_FILE',
        'A value in the file is longer than 64 KiB, so the file is damaged. Download it from the bank again.',
        {
          details: [{ path: this.name, message: 'longer than 64 KiB' }],
        },
      );
  }

  get text(): string {
    return this.#text.trim();
  }

  /** The first element at a path of names, such as `Acct/Id/IBAN`. */
  find(path: string): CamtNode | undefined {
    return firstAt(this, namesOf(path), 0, () => true);
  }

  /** Every element at a path of names. */
  all(path: string): CamtNode[] {
    const found: CamtNode[] = [];
    firstAt(this, namesOf(path), 0, (node) => {
      found.push(node);
      return false;
    });
    return found;
  }

  /** The text at the first of several paths that has one; '' when none has. */
  first(...paths: string[]): string {
    for (const path of paths) {
      const text = firstAt(this, namesOf(path), 0, hasText)?.text;
      if (text !== undefined) return text;
    }
    return '';
  }

  /** All texts below by their paths behind a prefix, for the raw record; at most `limit` characters. */
  flatten(limit: number, prefix = ''): Record<string, string> {
    const fields = new Map<string, string>();
    let left = limit;
    const visit = (node: CamtNode, path: string): void => {
      if (left <= 0) return;
      const note = (name: string, value: string): void => {
        const kept = value.slice(0, Math.max(0, left));
        left -= name.length + kept.length;
        if (kept === '') return;
        const known = fields.get(name);
        fields.set(name, known === undefined ? kept : `${known} ${kept}`);
      };
      for (const [name, value] of Object.entries(node.attributes))
        if (!name.startsWith('xmlns') && !name.includes(':')) note(`${path}@${name}`, value);
      if (node.text !== '') note(path, node.text);
      for (const child of node.children) visit(child, `${path}/${child.name}`);
    };
    for (const child of this.children) visit(child, prefix + child.name);
    return Object.fromEntries(fields);
  }
}

function hasText(node: CamtNode): boolean {
  return node.text !== '';
}

/** The first element below at these names that passes the test. */
function firstAt(
  node: CamtNode,
  names: readonly string[],
  depth: number,
  test: (node: CamtNode) => boolean,
): CamtNode | undefined {
  const name = names[depth];
  const isLast = depth + 1 === names.length;
  for (const child of node.children) {
    if (child.name !== name) continue;
    const found = isLast ? (test(child) ? child : undefined) : firstAt(child, names, depth + 1, test);
    if (found) return found;
  }
  return undefined;
}

/** The paths that the code asks for, split once. */
const PATHS = new Map<string, readonly string[]>();

function namesOf(path: string): readonly string[] {
  let names = PATHS.get(path);
  if (names === undefined) PATHS.set(path, (names = path.split('/')));
  return names;
}
