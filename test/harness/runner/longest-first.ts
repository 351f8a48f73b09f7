import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../../..');

/** Files that take long whatever their size, the longest first: none of them may be left for the end of a run. */
const LONGEST = [
  'test/contract/every-operation.test.ts',
  'test/crash/sync.test.ts',
  'test/browser/account.test.ts',
  'test/crash/idempotency.test.ts',
  'test/stalls/stalls.test.ts',
  'src/features/imports/doors/import-turns.test.ts',
  'test/browser/demo-pages.test.ts',
  'test/browser/connections.test.ts',
  'test/process/built-server.test.ts',
  'test/contract/bad-input.test.ts',
  'test/browser/account-links.test.ts',
  'test/browser/workflows.test.ts',
  'test/browser/administration.test.ts',
  'test/browser/reports.test.ts',
  'test/crash/migration.test.ts',
  'test/browser/home.test.ts',
  'test/browser/components.test.ts',
  'test/crash/import.test.ts',
  'test/crash/link.test.ts',
  'test/model/undo.test.ts',
  'test/browser/workflow-editor.test.ts',
  'src/surfaces/cli/server/demo.test.ts',
  'test/process/start.test.ts',
  'test/contract/generated-clients.test.ts',
  'test/crash/rules.test.ts',
  'src/features/imports/target/import-without-target.test.ts',
  'test/contract/openapi-answers.test.ts',
  'test/browser/proposals.test.ts',
  'test/browser/system.test.ts',
  'test/crash/run.test.ts',
  'test/crash/two-servers-sync.test.ts',
  'simulators/write-household.test.ts',
  'test/browser/models.test.ts',
  'test/browser/during-work.test.ts',
  'test/browser/agents.test.ts',
  'test/faults/broken-connections.test.ts',
  'src/features/imports/doors/import-limits.test.ts',
  'src/features/imports/doors/import-running.test.ts',
  'src/features/jobs/jobs.test.ts',
  'src/features/imports/write/revert-reviewed.test.ts',
  'test/browser/runs.test.ts',
  'src/surfaces/cli/server/users.test.ts',
  'src/features/bootstrap/bootstrap.test.ts',
  'src/features/imports/doors/bank-files.test.ts',
  'src/features/transactions/random-reports.test.ts',
  'src/features/imports/doors/import-hostile.test.ts',
  'test/browser/hosted-link.test.ts',
  'test/model/imports.test.ts',
  'src/features/rules/runs/runs-agree.test.ts',
  'test/crash/proposal.test.ts',
  'src/features/imports/write/rules-twins.test.ts',
  'src/features/transactions/export.test.ts',
  'src/features/export/export.test.ts',
  'test/crash/encryption-key.test.ts',
];

/** A fresh clone knows no durations, and the largest files are not the slowest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONGEST.find((path) => !existsSync(join(ROOT, path)));
    if (gone !== undefined) throw new Error(`test/harness/runner/longest-first.ts names ${gone}, which is not there.`);
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return index === -1 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
