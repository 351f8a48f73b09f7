import { said } from './placeholder.ts';
import type { RecordReader } from './records.ts';

/** The description columns joined by one space; parts that say nothing or stand there already are left out. */
export function describe(reader: RecordReader, columns: readonly number[]): string {
  if (columns.length === 1) return said(reader.cell(columns[0] as number));
  const parts: string[] = [];
  for (const index of columns) {
    const part = said(reader.cell(index));
    if (part !== '' && !parts.includes(part)) parts.push(part);
  }
  return parts.join(' ');
}

/** True when the one filled field of the record is in the only description column. */
export function isContinuation(reader: RecordReader, description: readonly number[]): boolean {
  if (description.length !== 1) return false;
  for (let i = 0; i < reader.count; i++) if (reader.isEmpty(i) === (i === description[0])) return false;
  return reader.count > (description[0] as number);
}
