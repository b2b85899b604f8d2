import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sent } from '#test/bad-days/crash-walk/faults/faulty-pool.ts'

const SERVER = join(import.meta.dirname, '../../../server')

/** An SQL statement in the source code. A statement without a name is recognised by its constant words. */
type Written = { file: string; verb: string; name: string | null; words: string[] }

export async function listStatements(places: readonly string[]): Promise<Written[]> {
  const files = (await Promise.all(places.map(listFiles))).flat()
  const found = await Promise.all(files.map(async (file) => findIn(file, await readFile(join(SERVER, file), 'utf8'))))
  return found.flat()
}

async function listFiles(place: string): Promise<string[]> {
  if (place.endsWith('.ts')) return [place]
  const names = await readdir(join(SERVER, place))
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${place}/${name}`)
}

const FUNCTION = /^(?:export )?(?:async )?function (\w+)/m
const NAMES = [
  /name: '([\w-]+)'/g,
  /name: `([\w-]+)\$\{/g,
  /\? '([\w-]+-[\w-]+)' :/g,
  /: '([\w-]+-[\w-]+)',$/gm,
  /\['([\w-]+-[\w-]+)',/g,
]
const WORDS = /[`']((?:SELECT|INSERT|UPDATE|DELETE|WITH)\b[^`']*)/g

function findIn(file: string, code: string): Written[] {
  const [, ...parts] = code.split(FUNCTION)
  const found: Written[] = []
  for (let place = 0; place < parts.length; place += 2) {
    const [verb = '', body = ''] = parts.slice(place)
    const names = new Set(NAMES.flatMap((pattern) => [...body.matchAll(pattern)].map(([, name = '']) => name)))
    for (const name of names) found.push({ file, verb, name, words: [] })
    if (names.size > 0 || !body.includes('.query')) continue
    const texts = [...body.matchAll(WORDS)].map(([, text = '']) => readWords(text)).filter(isTelling)
    if (texts.length === 0 && !body.includes('...statement'))
      throw new Error(`${file}: no statement is recognised in ${verb}`)
    for (const words of texts) found.push({ file, verb, name: null, words })
  }
  return found
}

function readWords(text: string): string[] {
  return text.split(/\$\{[^}]*(?:\}|$)/).map(tidy)
}

const isTelling = (words: readonly string[]) => words.some(({ length }) => length > 20)

/** Returns the SQL statements of the code that were never sent, as `file verb`. */
export function listUnreached(written: readonly Written[], reached: readonly Sent[]): string[] {
  const names = new Set(reached.flatMap(({ name }) => name ?? []))
  const texts = [...new Set(reached.map(({ text }) => tidy(text)))]
  const isReached = ({ name, words }: Written) =>
    name === null
      ? texts.some((text) => words.every((part) => text.includes(part)))
      : names.has(name) || (name.endsWith('-') && [...names].some((sent) => sent.startsWith(name)))
  return written
    .filter((one) => !isReached(one))
    .map(({ file, verb, name }) => [file, verb, name ?? ''].join(' ').trim())
}

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
