import { spawn } from 'node:child_process'
import { cannotRun } from './embedded-postgres-error.ts'
import type { ProcessOwner } from './postgres-place.ts'

/** How a program of PostgreSQL ended, and what it wrote to both of its outputs. */
export type ToolResult = { code: number | null; output: string }

/**
 * Runs a program of PostgreSQL to its end as PostgreSQL's user, with nothing of our environment. Rejects with an
 * EmbeddedPostgresError where the system refuses to execute it.
 */
export async function runPostgresTool(
  command: string,
  args: readonly string[],
  owner: ProcessOwner | null,
): Promise<ToolResult> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  // A folder that its user may enter and that stays.
  const child = spawn(command, args, { cwd: '/', stdio, env: { LC_ALL: 'C' }, ...owner })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    return { code, output }
  } catch (error) {
    throw cannotRun(error)
  }
}
