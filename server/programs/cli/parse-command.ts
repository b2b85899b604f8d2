import { parseArgs } from 'node:util'
import { type Arguments, type Command, WrongUsage } from './command.ts'

export const CHANGE_OPTIONS = {
  reason: { shows: 'WHY', required: true },
  by: { shows: 'WHO', required: false },
} as const

export const YES = 'yes'
export const DRY_RUN = 'dry-run'
export const JSON_LINES = 'json'

/** The prefix that marks negative numbers for `parse`. Nobody can type NUL in arguments. */
const NEGATIVE_MARK = '\0'

export function parseCommand(command: Command, argv: readonly string[]): Arguments {
  const known = optionsOf(command)
  const { options, switches, positionals } = parse(command, argv)
  const wanted = [...(command.values ?? []), ...(command.rest === undefined ? [] : [command.rest])]
  const missing = wanted[positionals.length]
  if (missing !== undefined) throw new WrongUsage(`${missing} is missing`)
  const surplus = command.rest === undefined ? positionals[wanted.length] : undefined
  if (surplus !== undefined) throw new WrongUsage(`"${surplus}" is too much`)
  for (const [name, { shows, required }] of Object.entries(known)) {
    if (required === true && (options[name] ?? '').trim() === '') throw new WrongUsage(`--${name} ${shows} is missing`)
  }
  return { values: positionals, options, switches }
}

export function optionsOf(command: Command): Record<string, { shows: string; required?: boolean }> {
  return { ...command.options, ...(command.changes === true ? CHANGE_OPTIONS : {}) }
}

export function switchesOf(command: Command): string[] {
  return [
    ...(command.switches ?? []),
    ...(command.doubts === true ? [YES] : []),
    ...(command.changes === true ? [DRY_RUN] : []),
    JSON_LINES,
  ]
}

function parse(command: Command, argv: readonly string[]) {
  const names = Object.keys(optionsOf(command))
  try {
    const { values, positionals } = parseArgs({
      // NEGATIVE_MARK keeps sums such as -5 from being parsed as options.
      args: argv.map((word) => word.replace(/^-(?=\d)/, `${NEGATIVE_MARK}-`)),
      options: Object.fromEntries([
        ...names.map((name) => [name, { type: 'string' as const }] as const),
        ...switchesOf(command).map((name) => [name, { type: 'boolean' as const }] as const),
      ]),
      allowPositionals: true,
    })
    const plain = (word: string) => word.replace(NEGATIVE_MARK, '')
    const given = Object.entries(values)
    const options = given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, plain(value)] as const] : []))
    const switches = new Set(given.filter(([, value]) => value === true).map(([name]) => name))
    return { options: Object.fromEntries(options), switches, positionals: positionals.map(plain) }
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      throw new WrongUsage(error.message)
    }
    throw error
  }
}
