import type { Pool } from '#server/house/db/pool.ts'
import { runCli } from '#server/programs/cli/run-cli.ts'

export type Said = { code: number; out: string; err: string }

export const CLI_SECRET_KEY = 'a secret of tests, long enough to pass'
/** The options that commands demand if they change data. */
export const WHY = ['--reason', 'because', '--by', 'anna']

/** Runs a command of `npm run cli` on `database`. Returns the exit code and output. */
export async function typed(database: { connectionString: string } | null, ...argv: string[]): Promise<Said> {
  return typedIn({ DATABASE_URL: database?.connectionString, SECRET_KEY: CLI_SECRET_KEY }, ...argv)
}

export async function typedIn(environment: Record<string, string | undefined>, ...argv: string[]): Promise<Said> {
  const said: Said = { code: -1, out: '', err: '' }
  said.code = await runCli(argv, {
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    environment,
  })
  return said
}

export type AuditLine = { actor: string; command: string; subject: string; reason: string; detail: unknown }

export async function auditOf(pool: Pick<Pool, 'query'>): Promise<AuditLine[]> {
  const { rows } = await pool.query<AuditLine>({
    text: 'SELECT actor, command, subject, reason, detail FROM audit_log ORDER BY id',
  })
  return rows
}
