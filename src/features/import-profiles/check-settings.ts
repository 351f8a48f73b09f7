import type { z } from 'zod';

import { compileDateFormat } from '../../engines/imports/date-format.ts';
import { findColumn } from '../../engines/imports/column-choice.ts';
import { FIELDS } from '../../engines/imports/synonyms.ts';
import { AppError, validationError } from '../../kernel/errors.ts';
import type { ProfileSettings } from './import-profiles.contract.ts';

const ANY_YEAR = 2_100;

/** What the schema cannot say about settings: known fields, columns that the header has, a date format that reads. */
export function checkSettings(settings: z.output<typeof ProfileSettings>, headers: readonly string[]): void {
  const { length: width } = headers;
  const numbered = settings.has_header === false ? headers.map((_name, index) => `column_${index + 1}`) : [];
  const isColumn = (column: number | string): boolean =>
    [headers, numbered].some((names) => findColumn(column, { headers: names, width }) !== undefined);
  for (const [field, choice] of Object.entries(settings.column_mapping ?? {})) {
    const path = `settings.column_mapping.${field}`;
    if (!FIELDS.some((known) => known === field)) {
      throw validationError(path, `There is no such field. Use one of: ${FIELDS.join(', ')}.`);
    }
    for (const column of [choice].flat()) {
      if (column !== null && !isColumn(column)) {
        throw validationError(path, `The header has no column ${JSON.stringify(column)}.`);
      }
    }
  }
  if (settings.date_format === undefined) return;
  try {
    compileDateFormat(settings.date_format, ANY_YEAR);
  } catch (error) {
    if (error instanceof AppError)
      throw validationError('settings.date_format', error.extra.details?.[0]?.message ?? error.message);
    throw error;
  }
}
