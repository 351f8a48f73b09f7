const HOUSE = 'src/engines/imports/';

/** From the bottom to the top. What lies beside the rooms (`question.ts`, `packed.ts`, `csv.ts`) is for all of them. */
const ROOMS = [
  'text',
  'lexicon',
  'bytes',
  'cells',
  'columns',
  'proof',
  'profiles',
  'table',
  'interpret',
  'questions',
  'statements',
];

/** Imports of a room of the importer that lead to a room above it. */
export function importsUpstairs(links: ReadonlyMap<string, readonly string[]>): string[] {
  return [...links]
    .filter(([file]) => file.startsWith(HOUSE) && !file.endsWith('.test.ts'))
    .flatMap(([file, targets]) => {
      const isAbove = (target: string): boolean => floorOf(file) >= 0 && floorOf(target) > floorOf(file);
      return targets.filter(isAbove).map((target) => `${file} → ${target}`);
    });
}

/** The place of a file's room from below; -1 for a file in none. @throws for a room that is not listed */
function floorOf(path: string): number {
  const [room = '', ...rest] = path.startsWith(HOUSE) ? path.slice(HOUSE.length).split('/') : [];
  if (rest.length === 0) return -1;
  if (!ROOMS.includes(room)) throw new Error(`${path}: the room ${room} has no place in test/tidy/rooms.ts.`);
  return ROOMS.indexOf(room);
}
