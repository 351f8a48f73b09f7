import { z } from 'zod';

import { defineOperation } from '../../contract/operation.ts';
import { exampleImport } from './import-examples.contract.ts';
import { ImportFields } from './import-fields.contract.ts';
import { Import, ImportPreview } from './import-records.contract.ts';
import { fileUpload, IMPORT_ERRORS } from './import-upload.contract.ts';

export const importFile = defineOperation({
  name: 'importFile',
  group: 'imports',
  method: 'POST',
  path: '/api/v1/imports',
  scope: 'full_access',
  summary: 'Import a bank file of any format: CSV, OFX, QFX, QIF, CAMT.053 or MT940',
  description:
    'The content decides which format it is. Up to 5,000 records are imported before the answer (201); larger files, ' +
    'or `Prefer: respond-async`, are answered with 202 once they have been read, and `Location` names the import to ' +
    'follow. `dry_run` answers the preview (200) and writes nothing.',
  body: ImportFields,
  bodyOptional: true,
  upload: fileUpload,
  response: z.union([Import, ImportPreview]),
  status: 201,
  alsoStatus: [200, 202],
  answers: { 200: ImportPreview, 201: Import, 202: Import },
  errors: IMPORT_ERRORS,
  effect: 'background',
  weight: 'heavy',
  example: { response: exampleImport },
});
