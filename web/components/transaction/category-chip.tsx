import { useCategories } from '../../api/lists.ts';
import { colorAttributes, colorOf, NO_COLOR, type CategoryColor } from '../../lib/category-color.ts';
import { glyphOf, NO_CATEGORY_GLYPH } from '../../lib/category-glyphs.ts';

interface Named {
  id: string;
  name: string;
}

/** A category in its colour, by what a transaction or an answer says of it. */
export function CategoryChip({ category, none = 'No category' }: { category: Named | null; none?: string }) {
  const { color } = useCategoryLook(category?.id);
  return (
    <span {...colorAttributes(color)} className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <span
        aria-hidden
        className={`size-2 shrink-0 rounded-full ${category ? 'bg-of-category' : 'border border-line-strong'} forced-colors:border forced-colors:border-[CanvasText]`}
      />
      <bdi className={`truncate ${category ? '' : 'italic'}`}>{category?.name ?? none}</bdi>
    </span>
  );
}

const GLYPH_SIZES = {
  sm: { circle: 'size-6', glyph: 13 },
  md: { circle: 'size-8', glyph: 16 },
  lg: { circle: 'size-12', glyph: 24 },
} as const;

/** The sign of a category on a tint of its colour. */
export function CategoryGlyph({ id, size = 'md' }: { id: string | undefined; size?: keyof typeof GLYPH_SIZES }) {
  const { color, Glyph } = useCategoryLook(id);
  return (
    <span
      aria-hidden
      {...colorAttributes(color)}
      className={`grid shrink-0 place-items-center rounded-full bg-tint-of-category text-of-category ${GLYPH_SIZES[size].circle}`}
    >
      <Glyph size={GLYPH_SIZES[size].glyph} />
    </span>
  );
}

/** The sign alone, for lists of categories. */
export function CategorySign({ id }: { id?: string }) {
  const { color, Glyph } = useCategoryLook(id);
  return (
    <span {...colorAttributes(color)} className="shrink-0 text-of-category">
      <Glyph aria-hidden size={16} />
    </span>
  );
}

/** The attributes that give a part of a page, such as a bar, the colour of a category: `fill-of-category` and the like. */
export function useCategoryColor(id: string | undefined): ReturnType<typeof colorAttributes> {
  return colorAttributes(useCategoryLook(id).color);
}

/** Grey until the categories are there. */
function useCategoryLook(id: string | undefined): { color: CategoryColor; Glyph: typeof NO_CATEGORY_GLYPH } {
  const all = useCategories();
  const category = id === undefined ? undefined : all?.get(id);
  if (!all || !category) return { color: NO_COLOR, Glyph: id === undefined ? NO_CATEGORY_GLYPH : glyphOf(null) };
  return { color: colorOf(category, all), Glyph: glyphOf(category.icon) };
}
