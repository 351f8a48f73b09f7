import { z } from 'zod';

import { pascal } from '../../../contract/described-as.ts';
import type { AnyOperation, Upload } from '../../../contract/operation.ts';
import type { Json, Schemas } from './schemas.ts';

const FILE: Json = { type: 'string', format: 'binary' };

/** The request body of an operation, in each media type that it takes; null if it takes none. */
export function requestBody(operation: AnyOperation, schemas: Schemas): Json | null {
  const { body, upload, rawText, bodyOptional } = operation;
  if (!body) return null;
  const content: Record<string, Json> = {};
  const name = `${pascal(operation.name)}Body`;
  const example = operation.example.body === undefined ? {} : { example: operation.example.body };
  if (upload) {
    content['multipart/form-data'] = { schema: formOf(body, upload, name, schemas) };
    content['application/json'] = { schema: jsonOf(body, upload, name, schemas), ...example };
    for (const type of upload.rawTypes) content[type] = { schema: FILE };
  } else {
    content['application/json'] = { schema: schemas.named(body, 'input', name), ...example };
  }
  for (const type of rawText?.types ?? []) content[type] = { schema: { type: 'string' } };
  const hints = [
    ...((upload?.rawTypes.length ?? 0) > 0
      ? ['When the body is the file itself, send all other fields as query parameters with the same names.']
      : []),
    ...(rawText
      ? [`When the body is plain text, it is \`${rawText.field}\`; send all other fields as query parameters.`]
      : []),
  ];
  return {
    ...(hints.length === 0 ? {} : { description: hints.join(' ') }),
    required: bodyOptional !== true || upload !== undefined,
    content,
  };
}

/** The JSON body of an upload: the schema of the operation plus a field for the file in base64. */
function jsonOf(body: z.ZodType, upload: Upload, name: string, schemas: Schemas): Json {
  const { form } = upload;
  if (body instanceof z.ZodObject) return schemas.named(withFile(body, upload), 'input', idOf(body) ?? name);
  if (!form || !(body instanceof z.ZodDiscriminatedUnion)) return schemas.named(body, 'input', name);
  const forms = body.options.map((one) => (one === form ? named(withFile(form, upload), idOf(form)) : one));
  return schemas.named(z.xor(forms as z.ZodType[]), 'input', name);
}

function withFile(form: z.ZodObject, { base64Fields, wrapperField }: Upload): z.ZodObject {
  const [field = '', ...aliases] = base64Fields;
  const file = z
    .string()
    .optional()
    .meta({
      description: `The file in base64; ${aliases.join(' and ')} can be used instead`,
      contentEncoding: 'base64',
    });
  const fileFields = wrapperField === undefined ? form : (form.shape[wrapperField] as z.ZodObject);
  const withFileField = z.strictObject({ [field]: file, ...fileFields.shape });
  if (wrapperField === undefined) return named(withFileField, idOf(fileFields));
  return form.extend({ [wrapperField]: named(withFileField, idOf(fileFields)) });
}

function named(schema: z.ZodObject, id: string | undefined): z.ZodObject {
  return id === undefined ? schema : schema.meta({ id });
}

/** The form of an upload: the file, and all fields at the top level. */
function formOf(body: z.ZodType, { part, wrapperField, form: own }: Upload, name: string, schemas: Schemas): Json {
  const form = own ?? body;
  if (!(form instanceof z.ZodObject)) return schemas.named(body, 'input', name);
  const { [wrapperField ?? '']: fileFields, ...outer } = form.shape as Record<string, z.ZodType>;
  const flat = z.strictObject(fileFields instanceof z.ZodObject ? { ...outer, ...fileFields.shape } : form.shape);
  const json = schemas.of(flat, 'input');
  const required = [part, ...((json['required'] as string[] | undefined) ?? [])];
  const properties = { [part]: FILE, ...(json['properties'] as Json) };
  return schemas.put(`${idOf(body) ?? name}Form`, { ...json, properties, required });
}

function idOf(schema: z.ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}
