import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/house/db/embedded/embedded-postgres.ts'
import { ownEnvironment } from '#test/harness/compiled-programs.ts'
import { isPostgresRunning, quietLog, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'

const PROGRAM = new URL('../../cli.ts', import.meta.url).pathname
const SLOW_MS = 60_000

type Ended = { code: number; out: string; err: string }

function runProgram(file: string, argv: readonly string[], environment: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...ownEnvironment(), ...environment }
    execFile(file, [...argv], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out, err })
    })
  })
}

function cli(environment: Record<string, string>, ...argv: string[]): Promise<Ended> {
  return runProgram(process.execPath, [PROGRAM, ...argv], environment)
}

const sh = requireProgram('sh')
test.skipIf(sh === undefined)(
  'OP-13: a list whose reader has seen enough ends without a word, and with its own exit code',
  async () => {
    const command = `{ "$0" "$1" help; echo "code $?" >&2; } | true`
    const ended = await runProgram(sh ?? '', ['-c', command, process.execPath, PROGRAM], {})
    expect(ended).toEqual({ code: 0, out: '', err: 'code 0\n' })
  },
  SLOW_MS,
)

test(
  'the program prints its help, and its exit code tells a wrong command',
  async () => {
    expect(await cli({}, 'help')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('ledger:verify') })
    expect(await cli({}, 'helpp')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('There is no command helpp'),
    })
  },
  SLOW_MS,
)

test(
  'a bad setting is named',
  async () => {
    const { code, err } = await cli({ DATABASE_CONNECTIONS: 'many' }, 'ledger:verify')
    expect({ code, err }).toEqual({ code: 1, err: 'DATABASE_CONNECTIONS must be a whole number from 2 to 200\n' })
  },
  SLOW_MS,
)

test(
  'PostgreSQL that a command had to start is stopped again; one of a server is left running',
  async () => {
    await using place = await temporaryDataDir()
    const { dataDir } = place
    expect(await cli({ DATA_DIR: dataDir, DEMO: '1' }, 'migrate')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('applied 0001'),
    })
    expect(await isPostgresRunning(dataDir)).toBe(false)

    await using _ = await startEmbeddedPostgres({ dataDir, log: quietLog, durable: false })
    const stopped = await cli({ DATA_DIR: dataDir }, 'buying:stop', '--reason', 'a test', '--by', 'test')
    expect(stopped).toEqual({ code: 0, err: '', out: 'Buying is stopped now.\n' })
    expect(await isPostgresRunning(dataDir)).toBe(true)
  },
  SLOW_MS,
)

test(
  "the demo's key is printed as demo.json has it",
  async () => {
    await using folder = await temporaryFolder()
    const key = '0123456789abcdef0123456789abcdef'
    await writeFile(folder.path('demo.json'), JSON.stringify({ email: 'demo@ringpost.test', apiKey: key }))
    expect(await cli({ DATA_DIR: folder.root }, 'demo:key')).toEqual({ code: 0, err: '', out: `${key}\n` })
  },
  SLOW_MS,
)
