import { z } from 'zod';

import { AnyId, name } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { exampleCsvResult } from '../imports/import-examples.contract.ts';
import { CsvImportFields, Flag } from '../imports/import-fields.contract.ts';
import { CsvResult, ImportPreview } from '../imports/import-records.contract.ts';
import { fileUpload, IMPORT_ERRORS } from '../imports/imports.contract.ts';
import { Connection, exampleConnection } from './connection-record.contract.ts';

const ConnectionMade = Connection.extend(CsvResult.shape).meta({ id: 'ConnectionMade' });

const wordOrNull = z.string().max(LIMITS.tokenChars).nullable().default(null);

const nameOrNull = name(LIMITS.providerTextChars).nullable().default(null);

/** An account as Plaid Link hands it over; what else Link says of it does not matter. */
const LinkAccount = z
  .object({ id: wordOrNull, name: wordOrNull, mask: wordOrNull, type: wordOrNull, subtype: wordOrNull })
  .meta({ id: 'LinkAccount' });

export const PlaidCredentials = z
  .strictObject({
    public_token: name(LIMITS.tokenChars).meta({ description: 'From Plaid Link onSuccess' }),
    institution_id: nameOrNull.meta({ description: 'Without it, that of the list of accounts' }),
    institution_name: nameOrNull.meta({ description: 'Without it, that of the list of accounts, or `Bank`' }),
    accounts: z
      .array(LinkAccount)
      .max(LIMITS.linkAccounts, `must have at most ${LIMITS.linkAccounts} accounts`)
      .default([])
      .meta({
        description: '`metadata.accounts` from onSuccess; used only to recognise a bank that is already linked',
      }),
  })
  .meta({ id: 'PlaidCredentials' });

export const TellerCredentials = z
  .strictObject({
    access_token: name(LIMITS.tokenChars).meta({ description: 'From Teller Connect onSuccess' }),
    enrollment_id: name(LIMITS.providerTextChars),
    institution_name: name(LIMITS.providerTextChars),
    institution_id: name(LIMITS.providerTextChars).optional(),
  })
  .meta({ id: 'TellerCredentials' });

const allowDuplicate = Flag.default(false).meta({
  description: 'Link the bank even if the household has already linked it',
});
// What identifies nobody is an INVALID_PARAMETER, which is checked before any provider is asked.
const owner = AnyId.meta({ description: 'Household member who will own the connection' });

export const PlaidLink = z
  .strictObject({
    provider: z.literal('plaid'),
    user_id: owner,
    credentials: PlaidCredentials,
    allow_duplicate: allowDuplicate,
  })
  .meta({ id: 'PlaidLink' });

export const TellerLink = z
  .strictObject({
    provider: z.literal('teller'),
    user_id: owner,
    credentials: TellerCredentials,
    allow_duplicate: allowDuplicate,
  })
  .meta({ id: 'TellerLink' });

export const CsvLink = z
  .strictObject({
    provider: z.literal('csv'),
    user_id: AnyId.optional().meta({ description: 'Household member who will own a new connection' }),
    credentials: CsvImportFields.omit({ user_id: true }).meta({ id: 'CsvCredentials' }),
    allow_duplicate: Flag.default(false).meta({ description: 'Has no effect on bank files' }),
  })
  .meta({ id: 'CsvLink' });

const ConnectionOrPreview = z.union([Connection, ImportPreview]).meta({ id: 'ConnectionOrPreview' });
const ConnectionOrImport = z.union([ConnectionMade, Connection]).meta({ id: 'ConnectionOrImport' });

export const createConnection = defineOperation({
  name: 'createConnection',
  group: 'connections',
  method: 'POST',
  path: '/api/v1/connections',
  scope: 'full_access',
  summary: 'Link a bank, or import a delimited bank file',
  description:
    'For `plaid` and `teller`, `credentials` are what the bank’s window returned. The first sync starts automatically. ' +
    'Linking the same login again replaces its credentials (200). A bank that is already linked is refused unless ' +
    '`allow_duplicate` is true. For `csv`, all fields of the import, including `dry_run` and `prefer`, go inside ' +
    '`credentials`; in a form, they are form fields. The response is then the connection with the result of the import ' +
    '(201), what is known before the file is written (202), or the preview if `dry_run` is true (200).',
  body: z.discriminatedUnion('provider', [PlaidLink, TellerLink, CsvLink], 'must be plaid, teller or csv'),
  upload: { ...fileUpload, rawTypes: [], wrapperField: 'credentials', form: CsvLink },
  response: z.union([ConnectionMade, Connection, CsvResult, ImportPreview]),
  status: 201,
  alsoStatus: [200, 202],
  answers: { 200: ConnectionOrPreview, 201: ConnectionOrImport, 202: CsvResult },
  errors: [...IMPORT_ERRORS, 'DUPLICATE_CONNECTION', 'PROVIDER_NOT_CONFIGURED', 'PROVIDER_ERROR'],
  effect: 'background',
  weight: ({ body }) => (body.provider === 'csv' ? 'heavy' : 'light'),
  example: {
    body: {
      provider: 'plaid',
      user_id: 'u4Rm81Zq',
      credentials: {
        public_token: 'public-sandbox-1f5b0c9e',
        institution_id: 'ins_109508',
        institution_name: 'First Platypus Bank',
        accounts: [{ id: 'acc_1', name: 'Checking', mask: '0000', type: 'depository', subtype: 'checking' }],
      },
    },
    response: { ...exampleConnection, provider: 'csv', ...exampleCsvResult },
  },
});
