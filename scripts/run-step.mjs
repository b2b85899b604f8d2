import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a command and prints its output only if it fails. Returns true if it succeeds.
 * @param {{ name: string, command: string, args: string[], env?: NodeJS.ProcessEnv }} step
 */
export async function runQuietly({ name, command, args, env }) {
  const startedAt = performance.now()
  const { code, output } = await runToEnd(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (code !== 0) console.error(output.trimEnd())
  return code === 0
}

/**
 * Runs a command and shows its output. Returns true if it succeeds.
 * @param {{ command: string, args: string[], env?: NodeJS.ProcessEnv }} step
 */
export async function runAloud({ command, args, env }) {
  const { code } = await runToEnd(command, args, { env, stdio: 'inherit' })
  return code === 0
}

/** Returns an environment in which child processes find this Node on the PATH. */
export function withNodeOnPath(node) {
  const separator = process.platform === 'win32' ? ';' : ':'
  return { ...process.env, PATH: `${dirname(node)}${separator}${process.env.PATH ?? ''}` }
}

function runToEnd(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, ...options, env: options.env ?? process.env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8')
      stream?.on('data', (part) => {
        output += part
      })
    }
    child.once('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}` }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
