import { readFile } from 'node:fs/promises'
import { CommandRefused } from '#server/programs/cli/command.ts'

export async function readLines(file: string): Promise<{ place: number; text: string }[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandRefused(`${file} cannot be read`)
  })
  const lines = text.split(/\r?\n/).map((line, index) => ({ place: index + 1, text: line.trim() }))
  const told = lines.filter((line) => line.text !== '' && !line.text.startsWith('#'))
  if (told.length === 0) throw new CommandRefused(`${file} has no numbers in it`)
  return told
}

export function splitLine(text: string): string[] {
  return text.split(/[,;\t]/).map((word) => word.trim())
}
