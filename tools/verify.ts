import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * `npm test`: every check of the tree, then every test. All steps run even after one failed.
 * `npm test -- <path or vitest option>` passes the rest on to vitest.
 */

interface Step {
  title: string;
  command: string;
  args: string[];
}

interface Outcome {
  passed: boolean;
  output: string;
  seconds: number;
}

interface Count {
  passed: number;
  failed: number;
}

/** What is read of vitest's JSON report. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

const ROOT = join(import.meta.dirname, '..');
const PROGRAMS = join(ROOT, 'node_modules/.bin');
const STEPS_AT_ONCE = 2;
/** With a checker more than its share of processors, the compiler only checks the same types again. */
const SHARE = String(Math.max(1, Math.floor(availableParallelism() / STEPS_AT_ONCE)));
const ENVIRONMENT = { ...process.env, PATH: [PROGRAMS, process.env['PATH'] ?? ''].join(delimiter) };
/** The type-aware linter is written in Go, and has as many checkers as Go has threads. */
const STEP_ENVIRONMENT = { ...ENVIRONMENT, GOMAXPROCS: SHARE };
const COMPILER_OPTIONS = ['--pretty', 'false', '--checkers', SHARE];
const CODE = ['src', 'web', 'simulators', 'test', 'bench', 'tools', 'vitest.config.ts'];

const GENERATOR = 'tools/gen.ts';
/** The longest first, so that none is left alone at the end. */
const STEPS: readonly Step[] = [
  { title: 'lint: oxlint --type-aware', command: 'oxlint', args: ['--type-aware', ...CODE.filter(inTree)] },
  { title: 'types: tsc -p .', command: 'tsc', args: ['-p', '.', ...COMPILER_OPTIONS] },
  { title: 'types of the dashboard: tsc -p web', command: 'tsc', args: ['-p', 'web', ...COMPILER_OPTIONS] },
  { title: 'format: oxfmt --check .', command: 'oxfmt', args: ['--check', '.'] },
  { title: `generated files: ${GENERATOR} --check`, command: process.execPath, args: [GENERATOR, '--check'] },
  {
    title: 'dashboard: npm run build',
    command: process.execPath,
    args: ['tools/web/build.ts', '--if-needed', '--check'],
  },
  { title: 'build of the server', command: process.execPath, args: ['tools/server/build.ts'] },
];

// A Ctrl-C reaches the whole process group: the running step ends by itself, and this process cleans up after it.
let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});

const steps = STEPS.filter(({ args }) => args[0] !== GENERATOR || inTree(GENERATOR));
if (steps.length < STEPS.length) print(`Skipped: generated files, because ${GENERATOR} does not exist.`);

const total: Count = { passed: 0, failed: 0 };
for (const count of [await runSteps(steps), await runTests(process.argv.slice(2))]) {
  total.passed += count.passed;
  total.failed += count.failed;
}
print(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = interrupted ? 130 : total.failed > 0 ? 1 : 0;

/** Two at a time, printed in order, each as soon as those before it are done. */
async function runSteps(steps: readonly Step[]): Promise<Count> {
  const waiting = steps.map((step) => ({ step, outcome: Promise.withResolvers<Outcome>() }));
  const queue = waiting.values();
  const work = async () => {
    for (const { step, outcome } of queue) outcome.resolve(await run(step, STEP_ENVIRONMENT));
  };
  const workers = Array.from({ length: STEPS_AT_ONCE }, work);
  const count: Count = { passed: 0, failed: 0 };
  for (const { step, outcome } of waiting) {
    const { passed, output, seconds } = await outcome.promise;
    heading(`${step.title}: ${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s`);
    if (!passed && output !== '') print(output.trimEnd());
    count[passed ? 'passed' : 'failed'] += 1;
  }
  await Promise.all(workers);
  return count;
}

async function runTests(args: readonly string[]): Promise<Count> {
  heading(['tests: vitest run', ...args].join(' '));
  const directory = mkdtempSync(join(tmpdir(), 'homeledger-verify-'));
  try {
    const file = join(directory, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const step = { title: 'tests', command: 'vitest', args: ['run', ...reporters, ...args] };
    const { passed, seconds } = await run(step, ENVIRONMENT, 'inherit');
    const count = countTests(file);
    print(`tests: ${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s`);
    // A run can fail without a failed test: no test found, an unhandled error, a crash.
    if (!passed && count.failed === 0) count.failed = 1;
    return count;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function countTests(file: string): Count {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const broken = report.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

async function run(step: Step, env: NodeJS.ProcessEnv, stdio: 'pipe' | 'inherit' = 'pipe'): Promise<Outcome> {
  const started = performance.now();
  const done = Promise.withResolvers<boolean>();
  const child = spawn(step.command, step.args, { cwd: ROOT, env, stdio: ['ignore', stdio, stdio] });
  const stop = () => child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.on('error', (error) => {
    output += `${error.message}\n`;
    done.resolve(false);
  });
  child.on('close', (code) => done.resolve(code === 0));
  const passed = await done.promise;
  process.off('SIGTERM', stop);
  return { passed, output, seconds: (performance.now() - started) / 1000 };
}

function inTree(path: string): boolean {
  return existsSync(join(ROOT, path));
}

function heading(text: string): void {
  print(`\n── ${text}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
