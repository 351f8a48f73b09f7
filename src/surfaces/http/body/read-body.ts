import { z } from 'zod';

import type { AnyOperation, Upload } from '../../../contract/operation.ts';
import type { UploadedFile } from '../../../features/handler.ts';
import type { Call, UnreadBody } from '../../../features/run-operation.ts';
import { parseBoundedJson } from '../../../kernel/json.ts';
import { AppError, fieldFault, validationError } from '../../../kernel/errors.ts';
import { LIMITS, MEBIBYTE } from '../../../kernel/limits.ts';
import { parseBody, type RawQuery } from '../../../features/parse-input.ts';
import { readForm } from './read-form.ts';
import { TAKEN, takeBase64 } from './take-base64.ts';

/**
 * Files and large bodies are read and checked in a worker thread: here they would delay other requests. What is open to
 * everybody stays, because its limits are counted here; so does a small body that may be of a form without a file.
 */
export function isReadElsewhere({ scope, upload }: AnyOperation, { bytes, contentType }: UnreadBody): boolean {
  if (scope === 'none') return false;
  if ((bytes?.length ?? 0) > LIMITS.bodyReadInPlaceBytes) return true;
  return upload !== undefined && (upload.form === undefined || typeOf(contentType) === 'multipart/form-data');
}

function typeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * The call with its body read and checked.
 * @throws INVALID_BODY, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export async function readUnread(operation: AnyOperation, call: Call): Promise<Call> {
  if (call.unread === null) return call;
  const { contentType, bytes, query } = call.unread;
  const whole = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { fields, file } = await readBody(operation, contentType, whole, query);
  const body = operation.bodyLast === true ? (fields ?? {}) : parseBody(operation, fields);
  return { ...call, input: { ...call.input, body }, file, unread: null };
}

/** A parsed body: its fields, and the file if the operation takes one. */
interface ReadBody {
  fields: unknown;
  file: UploadedFile | null;
}

interface ReadForm extends ReadBody {
  fields: Record<string, unknown>;
}

/**
 * Reads a request body by its media type.
 * @throws INVALID_BODY, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
async function readBody(
  operation: AnyOperation,
  contentType: string | undefined,
  bytes: Buffer | undefined,
  query: RawQuery,
): Promise<ReadBody> {
  const type = typeOf(contentType);
  const { upload, rawText } = operation;
  if (upload && type === 'multipart/form-data') {
    const { fields, file } = await readMultipart(upload, contentType as string, bytes ?? Buffer.alloc(0));
    if (!takesFile(upload, fields))
      throw new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Only a file is sent as a form. Send these fields as application/json.',
      );
    return { fields: nested(operation, fields), file };
  }
  if (upload?.rawTypes.includes(type) === true) {
    return { fields: formFields(Object.entries(query)), file: checked(upload, bytes ?? Buffer.alloc(0), null) };
  }
  if (rawText?.types.includes(type) === true) {
    return { fields: { [rawText.field]: utf8(bytes ?? Buffer.alloc(0)) }, file: null };
  }
  if (bytes === undefined || bytes.length === 0) {
    if (type !== '' && type !== 'application/json') throw unsupported(operation, type);
    return { fields: undefined, file: null };
  }
  if (type !== '' && type !== 'application/json') throw unsupported(operation, type);
  const taken = upload ? takeBase64(bytes, upload.base64Fields) : null;
  const fields = parseJson(taken?.json ?? bytes);
  return upload && takesFile(upload, fields) ? fileOfJson(upload, fields, taken?.file) : { fields, file: null };
}

/** Whether the body is of a form with a file, as the fields tell that have one value there. */
function takesFile({ form }: Upload, fields: object): boolean {
  return Object.entries(form?.shape ?? {}).every(
    ([name, schema]) =>
      !(schema instanceof z.ZodLiteral) ||
      !(name in fields) ||
      schema.safeParse((fields as Record<string, unknown>)[name]).success,
  );
}

function unsupported(operation: AnyOperation, type: string): AppError {
  const { upload, rawText } = operation;
  const others = upload ? ['multipart/form-data', ...upload.rawTypes] : (rawText?.types ?? []);
  const taken = ['application/json', ...others].join(', ');
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `This path accepts ${taken}, not ${type.slice(0, 100)}.`);
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('INVALID_BODY', 'The body is not valid UTF-8.');
  }
}

function parseJson(bytes: Buffer): object {
  const text = utf8(bytes);
  try {
    const value = parseBoundedJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('INVALID_BODY', 'The body is not valid JSON.');
  }
  throw new AppError('INVALID_BODY', 'The body must be a JSON object.');
}

function fileOfJson(upload: Upload, fields: unknown, taken: Buffer | undefined): ReadBody {
  const { wrapperField } = upload;
  const own = wrapperField === undefined ? fields : (fields as Record<string, unknown>)[wrapperField];
  if (wrapperField === undefined) return fileAmong(upload, own, '', taken);
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return { fields, file: null };
  const read = fileAmong(upload, own, `${wrapperField}.`, taken);
  return { fields: { ...(fields as object), [wrapperField]: read.fields }, file: read.file };
}

/** The fields of a form, arranged like the body: a field that is not at the top of the body belongs to the file. */
function nested({ upload, body }: AnyOperation, fields: Record<string, unknown>): Record<string, unknown> {
  const wrapperField = upload?.wrapperField;
  const form = upload?.form ?? body;
  if (wrapperField === undefined || !(form instanceof z.ZodObject)) return fields;
  const isOuter = (name: string): boolean => name !== wrapperField && name in form.shape;
  const entries = Object.entries(fields);
  return {
    ...Object.fromEntries(entries.filter(([name]) => isOuter(name))),
    [wrapperField]: Object.fromEntries(entries.filter(([name]) => !isOuter(name))),
  };
}

function fileAmong(upload: Upload, fields: unknown, at: string, taken: Buffer | undefined): ReadBody {
  const rest = { ...(fields as Record<string, unknown>) };
  const given = upload.base64Fields.filter((name) => rest[name] !== undefined && rest[name] !== null);
  if (given.length > 1) throw validationError(`${at}${given[1] as string}`, 'Send one file only.');
  const [field] = given;
  if (field === undefined) return { fields: rest, file: null };
  const text = rest[field];
  delete rest[field];
  if (typeof text !== 'string') throw fieldFault(`${at}${field}`, 'must be base64 text');
  const fileName = typeof rest['file_name'] === 'string' ? rest['file_name'] : null;
  const bytes = taken && text === TAKEN ? taken : decodeBase64(`${at}${field}`, text);
  return { fields: rest, file: checked(upload, bytes, fileName) };
}

function decodeBase64(field: string, text: string): Buffer {
  const digits = base64Digits(text);
  if (digits === undefined || digits % 4 === 1) throw fieldFault(field, 'must be base64 text');
  return Buffer.from(text, 'base64');
}

/** The number of base64 digits in a text, in either alphabet; undefined if it is not base64. */
function base64Digits(text: string): number | undefined {
  if (!/^[A-Za-z0-9+/_\-\s]*(?:=\s*){0,2}$/.test(text)) return undefined;
  let others = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Among the characters that the pattern allows, white space is below `+` or outside ASCII.
    if (code < 0x2b || code > 0x7f || code === 0x3d) others += 1;
  }
  return text.length - others;
}

async function readMultipart(upload: Upload, contentType: string, bytes: Buffer): Promise<ReadForm> {
  const entries = new Map<string, string | string[]>();
  let file: UploadedFile | null = null;
  for (const [name, value] of await readForm(contentType, bytes)) {
    if (typeof value === 'string') {
      const known = entries.get(name);
      if (Array.isArray(known)) known.push(value);
      else entries.set(name, known === undefined ? value : [known, value]);
    } else {
      if (name !== upload.part) throw fieldFault(name, `unknown part; send the file as ${upload.part}`);
      if (file) throw validationError(name, 'Send one file only.');
      file = checked(upload, value.bytes, value.fileName === '' ? null : value.fileName);
    }
  }
  return { fields: formFields([...entries]), file };
}

function checked(upload: Upload, bytes: Uint8Array, fileName: string | null): UploadedFile {
  if (bytes.length > upload.maxBytes) {
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The file is larger than ${upload.maxBytes / MEBIBYTE} MiB. Split it into smaller files.`,
    );
  }
  return { bytes, fileName };
}

/** Form fields as JSON values: objects and lists are parsed from JSON text, everything else stays text. */
function formFields(entries: readonly (readonly [string, string | string[]])[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    if (Array.isArray(value)) fields[name] = value;
    else if (/^\s*[[{]/.test(value)) fields[name] = jsonOr(name, value);
    else fields[name] = value;
  }
  return fields;
}

function jsonOr(name: string, text: string): unknown {
  try {
    return parseBoundedJson(text, name);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return text;
  }
}
