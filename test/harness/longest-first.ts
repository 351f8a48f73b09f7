import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long whatever their size, the longest first: none of them may be left for the end of a run. */
const LONGEST = [
  'test/contract/bad-input.test.ts',
  'test/stalls/stalls.test.ts',
  'test/browser/setup.test.ts',
  'test/browser/devices.test.ts',
  'test/browser/home.test.ts',
  'test/browser/components.test.ts',
  'src/surfaces/cli/server/demo.test.ts',
  'test/browser/signing-in.test.ts',
  'test/faults/broken-connections.test.ts',
  'test/process/start.test.ts',
  'test/crash/idempotency.test.ts',
  'test/contract/every-operation.test.ts',
  'src/features/imports/import-turns.test.ts',
  'test/crash/import.test.ts',
  'test/model/imports.test.ts',
  'test/storage/start.test.ts',
  'src/features/transactions/export.test.ts',
  'test/contract/generated-clients.test.ts',
  'test/model/undo.test.ts',
  'test/crash/killed-under-load.test.ts',
  'simulators/write-household.test.ts',
  'src/features/imports/import-hostile.test.ts',
  'src/features/imports/import-running.test.ts',
  'test/crash/migration.test.ts',
  'src/features/transactions/filters.test.ts',
];

/** A fresh clone knows no durations, and the largest files are not the slowest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return index === -1 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
