import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { optionsOf, parseCommand, switchesOf } from './parse-command.ts'

const ROOT = new URL('../../../', import.meta.url)
const CALL = 'npm run cli -- '
const names = new Map(commands.map((command) => [command.name, command]))

/** Matches forms such as `chain:rewind GATEWAY HEIGHT` or `price:list [--service tg]`, which cannot be typed. */
const FORM = /[[|…]|(?<![@\w-])[A-Z][A-Z_]+(?![\w-])/u

test('each command that a document writes out is accepted as it stands, and each form names options that there are', async () => {
  const written = (await Promise.all((await documents()).map(commandsOf))).flat()
  expect(written.length).toBeGreaterThan(100)
  const refused = written.flatMap(({ where, line }) => {
    const words = wordsOf(line)
    const said = FORM.test(line.replaceAll(/"[^"]*"|'[^']*'/gu, '')) ? unknownIn(words) : refusalOf(words)
    return said === null ? [] : [`${where}: ${line}: ${said}`]
  })
  expect(refused).toEqual([])
})

async function documents(): Promise<string[]> {
  const read = async (folder: string) =>
    (await readdir(new URL(folder, ROOT), { recursive: true })).map((name) => `${folder}${name}`)
  const paths = [...(await read('docs/')), ...(await read('content/'))]
  return ['README.md', ...paths.filter((path) => path.endsWith('.md'))]
}

async function commandsOf(path: string): Promise<{ where: string; line: string }[]> {
  const text = await readFile(new URL(path, ROOT), 'utf8')
  const parts = text.split(/^ *```/mu)
  const blocks = parts
    .filter((_, at) => at % 2 === 1)
    .flatMap((block) => block.replaceAll(/\\\n\s*/gu, ' ').split('\n'))
  const called = blocks.flatMap((line) => (line.includes(CALL) ? [line.slice(line.indexOf(CALL))] : []))
  const prose = parts.filter((_, at) => at % 2 === 0).join('\n')
  const spans = [...prose.matchAll(/`([^`]+)`/gu)].map(([, span = '']) => span)
  return [...called, ...spans].flatMap((span) => {
    const isCalled = span.startsWith(CALL)
    const line = (isCalled ? span.slice(CALL.length) : span).replaceAll(/\s+/gu, ' ')
    const isWhole = isCalled || line.includes(' ')
    return isWhole && names.has(line.split(' ')[0] ?? '') ? [{ where: path, line }] : []
  })
}

function wordsOf(line: string): string[] {
  const words = line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu)
  const all = [...words].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  const end = all.findIndex((word) => ['&&', '|', '>', '#'].includes(word))
  return end === -1 ? all : all.slice(0, end)
}

function refusalOf([name = '', ...argv]: string[]): string | null {
  const command = names.get(name)
  if (command === undefined) return 'there is no such command'
  try {
    parseCommand(command, argv)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function unknownIn([name = '', ...argv]: string[]): string | null {
  const command = names.get(name)
  if (command === undefined) return 'there is no such command'
  const known = [...Object.keys(optionsOf(command)), ...switchesOf(command)]
  const named = argv.flatMap((word) => [...word.matchAll(/^[[(]?--([\w-]+)/gu)].map(([, option = '']) => option))
  const unknown = named.filter((option) => !known.includes(option))
  return unknown.length === 0 ? null : `there is no --${unknown.join(', --')}`
}
