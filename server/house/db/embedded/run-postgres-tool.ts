import { spawn } from 'node:child_process'
import { cannotRun } from './embedded-postgres-error.ts'
import type { ProcessOwner } from './postgres-place.ts'

export type ToolResult = { code: number | null; output: string }

/** Runs a program of PostgreSQL without our environment. Rejects with EmbeddedPostgresError if it cannot be run. */
export async function runPostgresTool(
  command: string,
  args: readonly string[],
  owner: ProcessOwner | null,
): Promise<ToolResult> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  // The working directory is `/`, which any user may enter and nobody removes.
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
