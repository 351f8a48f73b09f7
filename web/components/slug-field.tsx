import { z } from 'zod';

import { TextField } from './text-fields.tsx';

/** The short form of a new record, which the server makes of the name where it is left empty (`withSlug`). */
export function SlugField() {
  return (
    <TextField
      name="slug"
      label="Short form"
      optional
      monospaced
      autoCapitalize="none"
      hint="For rules, agents and scripts. It cannot be changed later; left empty, it is made of the name."
    />
  );
}

/** The body of a form with a `SlugField`: an empty field is no slug. */
export function withSlug<S extends z.ZodRawShape & { slug: z.ZodType }>(body: z.ZodObject<S> | undefined) {
  const ofApi = body as z.ZodObject<S>;
  return ofApi.extend({
    slug: z.preprocess((slug: string | undefined) => (slug === '' ? undefined : slug), ofApi.shape.slug),
  });
}

/** What is sent of such a form. */
export function sentSlug({ slug }: { slug?: string | undefined }): { slug?: string } {
  return slug ? { slug } : {};
}
