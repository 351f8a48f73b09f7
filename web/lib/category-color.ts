import type { OutputOf } from '../../src/contract/operation.ts';
import type { listCategories } from '../../src/features/categories/categories.contract.ts';

export type Category = OutputOf<typeof listCategories>[number];

/** One of the 24 hues of `styles/categories.css`, or grey, and one of five shades of it. */
export interface CategoryColor {
  hue: number | 'none';
  shade: number;
}

export const HUES = 24;
export const SHADES = 5;
/** Hues are 15 degrees apart from here: so the colours that the first categories come with are all different ones. */
const FIRST_HUE = 3;
/** What has less of a colour is grey. */
const LEAST_CHROMA = 0.04;

export const NO_COLOR: CategoryColor = { hue: 'none', shade: 0 };

/**
 * The colour of a category: the hue nearest to its own colour, or else a shade of its parent's. One at the top level
 * without a colour has a hue that its slug decides, so that it stays when others come and go.
 */
export function colorOf(category: Category, all: ReadonlyMap<string, Category>): CategoryColor {
  let known = colors.get(all);
  if (!known) colors.set(all, (known = new Map()));
  const color = known.get(category.id) ?? findColor(category, all);
  known.set(category.id, color);
  return color;
}

/** Hundreds of rows ask for the same. */
const colors = new WeakMap<ReadonlyMap<string, Category>, Map<string, CategoryColor>>();

function findColor(category: Category, all: ReadonlyMap<string, Category>): CategoryColor {
  if (category.color !== null) return { hue: hueOf(category.color), shade: 0 };
  const parent = category.parent_id === null ? undefined : all.get(category.parent_id);
  if (!parent) return { hue: hashOf(category.slug) % HUES, shade: 0 };
  return { hue: colorOf(parent, all).hue, shade: 1 + (placeIn(all, category) % (SHADES - 1)) };
}

/** For the attributes of an element whose descendants use `text-of-category` and `bg-of-category`. */
export function colorAttributes({ hue, shade }: CategoryColor): { 'data-hue': string; 'data-shade': string } {
  return { 'data-hue': String(hue), 'data-shade': String(shade) };
}

function placeIn(all: ReadonlyMap<string, Category>, { id, parent_id: parent }: Category): number {
  let place = 0;
  for (const other of all.values()) {
    if (other.id === id) break;
    if (other.parent_id === parent) place++;
  }
  return place;
}

function hashOf(slug: string): number {
  let hash = 0;
  for (const letter of slug) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hash;
}

/** The nearest hue of a colour such as `#16a34a`, as the eye sees it (OKLab). */
function hueOf(color: string): CategoryColor['hue'] {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255)) as [
    number,
    number,
    number,
  ];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  if (Math.hypot(a, b) < LEAST_CHROMA) return 'none';
  const degrees = (Math.atan2(b, a) * 180) / Math.PI - FIRST_HUE;
  return (Math.round((degrees / 360) * HUES) + HUES) % HUES;
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
