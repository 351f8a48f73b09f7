import { z } from 'zod';

import { descriptionOf } from '../../contract/described-as.ts';
import { PlaidCredentials, TellerCredentials } from '../connections/connection-create.contract.ts';
import { CsvImportFields } from '../imports/import-fields.contract.ts';
import type { CredentialField } from './providers.contract.ts';

type Fields = Record<string, z.output<typeof CredentialField>>;

/** The fields of `credentials` for each provider, derived from the schemas that check them. */
export const CREDENTIALS: Readonly<Record<'plaid' | 'teller' | 'csv', Fields>> = {
  plaid: fieldsOf(PlaidCredentials),
  teller: fieldsOf(TellerCredentials),
  csv: {
    file: { type: 'file', required: 'alt', description: 'The file, as a form part' },
    csv_base64: { type: 'string', required: 'alt', description: 'The file in base64' },
    ...fieldsOf(CsvImportFields),
  },
};

function fieldsOf({ shape }: z.ZodObject): Fields {
  return Object.fromEntries(
    Object.entries(shape as Record<string, z.ZodType>).map(([name, schema]) => {
      const json = z.toJSONSchema(formOf(schema), { io: 'input', unrepresentable: 'any' });
      const required = !schema.safeParse(undefined).success;
      const description = z.globalRegistry.get(schema)?.description ?? capitalised(name);
      return [name, { type: String(json.type ?? 'string'), required, description }];
    }),
  );
}

/** The schema that the reference shows, below what makes it optional. */
function formOf(schema: z.ZodType): z.ZodType {
  const form = descriptionOf(schema);
  if (form) return form;
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? formOf(schema.unwrap() as z.ZodType)
    : schema;
}

/** `iso_currency_code` as `Iso currency code`, for a field whose name says everything. */
function capitalised(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}
