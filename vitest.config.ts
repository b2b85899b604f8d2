import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { suiteSeed } from './scripts/suite/suite-seed.ts'
import { pageTexts } from './scripts/texts/page-texts.ts'

const shared = {
  pool: 'forks',
  // Half the time of a file would go into loading the service again. Files share no state: nothing at the top of a
  // module is changed, but for memories keyed by the context of a test.
  isolate: false,
  // Helpers of the collector take the core that another worker, PostgreSQL or a browser needs.
  execArgv: ['--single-threaded-gc'],
  environment: 'node',
  // What is waited for comes in milliseconds, or, on a busy machine, in seconds; a test that fails may take its time.
  expect: { poll: { timeout: 20_000 } },
  // Machines have bad luck. How much of it a whole run may have: scripts/suite/second-tries.mjs.
  retry: 1,
  // A failure names what was found: in CI nobody can look again.
  chaiConfig: { truncateThreshold: 4_000 },
} satisfies TestProjectInlineConfiguration['test']

/** Everything but the browser. */
const unit = [
  'server/**/*.test.ts',
  'test/clients/*.test.ts',
  'contract/**/*.test.ts',
  'web/**/!(*.component).test.{ts,tsx}',
  'scripts/**/*.test.{ts,mjs}',
  'test/harness/*.test.ts',
  'test/bad-days/**/*.test.ts',
]

/** Files that take a minute and more: one that begins last would leave the other workers idle. */
const LONG_FILES =
  /\/test\/bad-days\/|\/server\/programs\/boot\/start\.test|\/test\/e2e\/(accessibility-|accounts-register|early-press|first-purchase|links|staff|top-up)/

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG_FILES.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    // Of the project that runs: more of them would only share the two cores there are. Three took longer.
    maxWorkers: 2,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        plugins: [pageTexts({ compiled: false })],
        test: {
          ...shared,
          name: 'unit',
          globalSetup: ['test/harness/global-setup.ts'],
          setupFiles: ['scripts/database/watch-statements.ts'],
          include: unit,
          provide: { soak: false, seed: suiteSeed() },
          // A walk with a fault at every statement, on a busy machine.
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        plugins: [pageTexts({ compiled: false })],
        test: {
          ...shared,
          name: 'components',
          environment: 'jsdom',
          setupFiles: ['test/components/set-up.ts'],
          include: ['web/**/*.component.test.tsx'],
          testTimeout: 30_000,
        },
      },
      {
        // What people call, once more on the oldest PostgreSQL that we promise to work with.
        test: {
          ...shared,
          globalSetup: ['test/harness/postgres/postgres-15-setup.ts'],
          name: 'postgres-15',
          // Whatever moves money or messages, and what asks the most of SQL; the migrations run first of all.
          include: [
            'server/core/numbers/activations/{cancel,used,ask-another-code,sweep,list-active}.test.ts',
            'server/core/numbers/purchase/{buy,repeat,rent}.test.ts',
            'server/core/numbers/rentals/{extend,end,receive,orphans,warn}.test.ts',
            'server/core/numbers/{history/history,history/movements,limits/limits,limits/pause-pairs}.test.ts',
            'server/core/{numbers/preorders/preorders,accounts/registration/register,numbers/statistics/statistics}.test.ts',
            'server/adapters/handler-api/serve/buy-number.test.ts',
            'server/surfaces/site/content/content.test.ts',
            'server/house/{jobs/months,money/verify-charges}.test.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [pageTexts({ compiled: false })],
        test: {
          ...shared,
          name: 'soak',
          globalSetup: ['test/harness/global-setup.ts'],
          include: unit,
          provide: { soak: true, seed: suiteSeed() },
          // It looks for what comes up once in thousands.
          retry: 0,
          // A random test at length takes a quarter of an hour and more.
          testTimeout: 3_600_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          globalSetup: ['test/e2e/support/global-setup.ts'],
          include: ['test/e2e/**/*.test.ts'],
          // A journey through a real browser on a busy machine.
          testTimeout: 180_000,
          // A service that starts while all others do.
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
