import { z } from 'zod';

import { AnyId, Color, Icon, Id, Instant, name, ShortId, Slug, text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** The form of a tag's slug: at most 64 characters. */
export const TAG_SLUG = /^[a-z0-9]([a-z0-9:-]{0,62}[a-z0-9])?$/;
export const DEFAULT_TAG_COLOR = '#6b7280';

/** `#rrggbb` in lower case; null, empty or blank clears. */
export const ColorInput = clearable(/^#[0-9a-f]{6}$/i, 'must be a colour such as #6b7280', (color) =>
  color.toLowerCase(),
);
/** The name of an icon; null, empty or blank clears. */
export const IconInput = clearable(
  /^[a-z0-9-]{1,64}$/,
  'must be the name of an icon: a-z, 0-9 and -, at most 64 characters',
);

function clearable(
  pattern: RegExp,
  message: string,
  stored: (value: string) => string = (value) => value,
): z.ZodType<string | null, string | null> {
  return z
    .string()
    .nullable()
    .transform((value) => (value === null || value.trim() === '' ? null : stored(value.trim())))
    .pipe(z.string().regex(pattern, message).nullable());
}

export const Tag = z
  .object({
    id: Id,
    short_id: ShortId,
    slug: Slug,
    name: z.string(),
    color: Color.meta({ description: '#rrggbb' }),
    description: z.string(),
    icon: Icon.nullable(),
    transaction_count: z.int().meta({ description: 'Number of transactions with this tag, not counting deleted ones' }),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Tag' });

const Description = text(LIMITS.tagDescriptionChars)
  .nullable()
  .transform((value) => value ?? '')
  .meta({ description: 'null or "" for none' });

const exampleTag = {
  id: '019a8c5d-0002-7000-8000-000000000001',
  short_id: 'Tg0nEeDs',
  slug: 'home-office',
  name: 'Home office',
  color: '#f59e0b',
  description: 'For the tax return',
  icon: null,
  transaction_count: 12,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const group = 'tags';
const params = z.object({ slug: AnyId.meta({ description: 'Slug, UUID or short_id, tried in this order' }) });

export const listTags = defineOperation({
  name: 'listTags',
  group,
  method: 'GET',
  path: '/api/v1/tags',
  scope: 'read_only',
  summary: 'List tags by name, with the number of transactions that carry each',
  response: z.array(Tag),
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'tags list' },
  example: { response: [exampleTag] },
});

export const getTag = defineOperation({
  name: 'getTag',
  group,
  method: 'GET',
  path: '/api/v1/tags/{slug}',
  scope: 'read_only',
  summary: 'Get one tag',
  params,
  response: Tag,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: ['transaction_count'],
  cli: { command: 'tags get' },
  example: { params: { slug: 'home-office' }, response: exampleTag },
});

export const createTag = defineOperation({
  name: 'createTag',
  group,
  method: 'POST',
  path: '/api/v1/tags',
  scope: 'full_access',
  summary: 'Create a tag',
  body: z.strictObject({
    name: name(),
    slug: Slug.regex(TAG_SLUG, 'must be a-z and 0-9, with : and - between them, at most 64 characters')
      .optional()
      .meta({ description: 'Derived from the name if omitted; cannot be changed later' }),
    color: ColorInput.optional(),
    description: Description.optional(),
    icon: IconInput.optional(),
  }),
  response: Tag,
  status: 201,
  errors: ['VALIDATION_ERROR', 'SLUG_CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'tags create' },
  example: {
    body: { name: 'Home office', color: '#f59e0b', description: 'For the tax return' },
    response: { ...exampleTag, transaction_count: 0 },
  },
});

export const updateTag = defineOperation({
  name: 'updateTag',
  group,
  method: 'PATCH',
  path: '/api/v1/tags/{slug}',
  scope: 'full_access',
  summary: 'Change the name, colour, description or icon of a tag',
  description: 'The slug never changes.',
  params,
  body: z.strictObject({
    name: name().optional(),
    color: ColorInput.optional(),
    description: Description.optional(),
    icon: IconInput.optional(),
  }),
  response: Tag,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'tags update' },
  example: {
    params: { slug: 'home-office' },
    body: { icon: 'briefcase' },
    response: { ...exampleTag, icon: 'briefcase', updated_at: '2026-04-26T06:00:00.000Z' },
  },
});

export const deleteTag = defineOperation({
  name: 'deleteTag',
  group,
  method: 'DELETE',
  path: '/api/v1/tags/{slug}',
  scope: 'full_access',
  summary: 'Delete a tag and remove it from every transaction',
  description: 'Refused while a rule refers to the tag. Reverting the change set restores the tag everywhere.',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'TAG_IN_USE'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'tags delete', confirm: true },
  example: { params: { slug: 'home-office' }, response: null },
});

export const operations = [listTags, getTag, createTag, updateTag, deleteTag];
