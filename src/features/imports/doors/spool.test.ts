import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { Packed } from '../../../engines/imports/packed.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { createSpool, sweepSpools } from './spool.ts';

const MIB = 1_048_576;

describe('the spool of an import', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'homeledger-spool-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const folder = (): string => join(dataDir, 'temp');
  const filled = (byte: number, length: number): Buffer => Buffer.alloc(length, byte);

  test('is a file only once there is much to keep, and gives back what it took', () => {
    const spool = createSpool(dataDir, 'one');
    const small = spool.keep(filled(1, LIMITS.importSpooledAboveBytes));
    expect(existsSync(folder())).toBe(false);
    const large = [2, 3, 4].map((byte) => spool.keep(filled(byte, byte * MIB)));
    expect(existsSync(folder())).toBe(true);
    for (const [index, read] of large.entries()) {
      const byte = index + 2;
      expect(Buffer.compare(read(), filled(byte, byte * MIB))).toBe(0);
      // Read again each time: nothing of it stays in memory.
      expect(read() === read()).toBe(false);
    }
    expect(small()).toHaveLength(LIMITS.importSpooledAboveBytes);
    spool.close();
    spool.close();
    expect(large[0]).toThrow('closed');
  });

  test('has no name, so that a process which is killed leaves nothing', () => {
    const spool = createSpool(dataDir, 'one');
    const upload = spool.take(filled(7, LIMITS.importSpooledAboveBytes + 1));
    expect(readdirSync(folder())).toEqual([]);
    expect(upload.whole()).toHaveLength(LIMITS.importSpooledAboveBytes + 1);
    spool.close();
  });

  test('lets go of a large upload at once, and reads it from the file stretch by stretch', () => {
    const spool = createSpool(dataDir, 'one');
    spool.keep(filled(1, MIB));
    spool.keep(filled(2, LIMITS.importSpooledAboveBytes));
    const body = Buffer.allocUnsafeSlow(LIMITS.importSpooledAboveBytes + 10);
    for (let i = 0; i < body.length; i++) body[i] = i % 251;
    const expected = Buffer.from(body.subarray(5));
    const upload = spool.take(body.subarray(5));
    for (let pass = 0; pass < 2; pass++) {
      const whole = upload.whole();
      expect(Buffer.compare(whole, expected)).toBe(0);
      const file = upload.letGo();
      expect([whole.length, body.length]).toEqual([0, 0]);
      for (const [from, to] of [
        [0, 3],
        [1_000, 1_000],
        [70_000, 140_000],
        [expected.length - 3, expected.length + 9],
      ] as const)
        expect(Buffer.compare(file.subarray(from, to), expected.subarray(from, to))).toBe(0);
    }
    spool.close();
    expect(() => upload.whole()).toThrow('closed');
  });

  test('a small upload stays where it is', () => {
    const spool = createSpool(dataDir, 'one');
    const upload = spool.take(filled(7, 100));
    expect(upload.letGo().subarray(10, 20)).toEqual(filled(7, 10));
    expect(upload.whole()).toHaveLength(100);
    spool.close();
  });

  test('the next start removes the name of a file whose process died before it could', async () => {
    mkdirSync(folder());
    for (const name of ['import-1', 'sync-1']) writeFileSync(join(folder(), name), '');
    await sweepSpools(dataDir);
    expect(readdirSync(folder())).toEqual(['sync-1']);
    await sweepSpools(join(dataDir, 'none'));
  });

  test('says what to do when nothing can be kept', () => {
    writeFileSync(folder(), 'a file where the folder should be');
    const spool = createSpool(dataDir, 'one');
    expect(() => spool.keep(filled(1, LIMITS.importSpooledAboveBytes + 1))).toThrow(
      expect.objectContaining({ code: 'UNAVAILABLE', message: expect.stringContaining('EEXIST') }),
    );
    spool.close();
  });

  test('entries that are kept in it are all read back, any number of times', () => {
    const spool = createSpool(dataDir, 'one');
    spool.keep(filled(1, LIMITS.importSpooledAboveBytes));
    const packed = new Packed<{ line: number; text: string }>(spool);
    const entries = Array.from({ length: 2_000 }, (_, line) => ({
      line,
      text: `TEXT ${line} ${'x'.repeat(line % 50)}`,
    }));
    for (const entry of entries) packed.push(entry);
    for (let pass = 0; pass < 2; pass++) expect([...packed]).toEqual(entries);
    expect(existsSync(folder())).toBe(true);
    spool.close();
  });
});
