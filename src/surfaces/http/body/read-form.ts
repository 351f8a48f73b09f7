import { AppError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';

/**
 * The entries of a multipart form in their order. A large file stays where it is in `bytes`: the parser of the
 * platform copies what it is given several times.
 * @throws INVALID_BODY, PAYLOAD_TOO_LARGE
 */
export async function readForm(contentType: string, bytes: Buffer): Promise<[string, string | FormFile][]> {
  const large = largeFile(bytes, contentType);
  const small = large ? Buffer.concat([bytes.subarray(0, large.from), bytes.subarray(large.to)]) : bytes;
  let form: FormData;
  try {
    form = await new Response(small, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new AppError('INVALID_BODY', 'The multipart body is not well-formed.');
  }
  const entries = [...form].map(async ([name, value]): Promise<[string, string | FormFile]> => {
    if (typeof value === 'string') return [name, value];
    const isTaken = large !== null && value.size === 0;
    const content = isTaken ? bytes.subarray(large.from, large.to) : new Uint8Array(await value.arrayBuffer());
    return [name, { fileName: value.name, bytes: content }];
  });
  return Promise.all(entries);
}

/** A part with a file name, which may be empty. */
export interface FormFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** Where something is among the bytes of a form. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where the content of a large file is; null without one, and if its part says that it has to be decoded. */
function largeFile(bytes: Buffer, contentType: string): Stretch | null {
  const boundary = /;\s*boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) return null;
  let found: Stretch | null = null;
  for (const part of partsOf(bytes, boundary)) {
    if (found || part.to - part.from <= LIMITS.bodyReadInPlaceBytes) continue;
    const from = bytes.indexOf('\r\n\r\n', part.from) + 4;
    const head = bytes.toString('latin1', part.from, Math.min(from, part.to));
    if (/;\s*filename/i.test(head) && !/content-transfer-encoding/i.test(head)) found = { from, to: part.to };
  }
  return found;
}

/** The parts of a form, heads included. @throws PAYLOAD_TOO_LARGE for many, because parsing costs far more for each */
function* partsOf(bytes: Buffer, boundary: string): Generator<Stretch, void, undefined> {
  const mark = `--${boundary}`;
  let at = bytes.indexOf(mark);
  for (let count = 0; at >= 0; count++) {
    const from = at + Buffer.byteLength(mark);
    if (bytes.toString('latin1', from, from + 2) === '--') return;
    if (count >= LIMITS.formParts)
      throw new AppError('PAYLOAD_TOO_LARGE', `A form can have at most ${LIMITS.formParts} fields and files.`);
    const to = bytes.indexOf(`\r\n${mark}`, from);
    if (to >= 0) yield { from, to };
    at = to < 0 ? to : to + 2;
  }
}
