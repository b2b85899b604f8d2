import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'

/** Matches the code of a supplier or gateway, which becomes a part of paths such as `/suppliers/{code}/push`. */
const CODE_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

export function requireCode(code: string): void {
  if (!CODE_PATTERN.test(code)) throw new WrongUsage('--code is 1 to 32 small letters, digits and hyphens')
}

export async function readTyped(text: string): Promise<string> {
  if (!text.startsWith('@')) return text
  const file = text.slice(1)
  return readFile(file, 'utf8').catch((error: unknown) => {
    // The message shows the full path, because the command line runs in Ringpost's folder, wherever it was typed.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new CommandRefused(
      `The settings cannot be read from ${file}${isMissing ? `: there is no ${resolve(file)}` : ''}`,
    )
  })
}

/** Parses settings typed as a JSON object, or as @FILE. Errors never repeat the text, which may contain a password. */
export async function readTypedSettings(text: string): Promise<Record<string, unknown>> {
  const read = await readTyped(text)
  try {
    const parsed: unknown = JSON.parse(read)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
  } catch {
    throw new WrongUsage('--settings is not JSON')
  }
  throw new WrongUsage('--settings is not a JSON object')
}
