import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'

/** A kind reads a setting, tells of a bad value, and has the words of both for the document. */
export type Kind<T> = {
  /** The rule for a value, after "must"; empty: any text is good. */
  must: string
  standard: T
  /** The standard in the demo. */
  demo: T
  /** The standard, as the document has it. */
  shown: string
  /** The problem when the setting is missing outside the demo; undefined: it need not be set. */
  missing: string | undefined
  /** undefined: a problem was told. */
  parse(text: string, problem: Problem): T | undefined
}
export type Problem = (words: string) => undefined

/** A kind of setting, and what it means. */
export type Row<T> = readonly [Kind<T>, string]
export type Table<T = unknown> = Readonly<Record<string, Row<T>>>

type Rule<T> = { must: string; standard: T; demo?: T; shown?: string; missing?: string }

/** `parse` tells its problems itself. */
export function judged<T>(rule: Rule<T> & Pick<Kind<T>, 'parse'>): Kind<T> {
  const { must, standard, demo = standard, missing, parse } = rule
  const other = demo === standard ? '' : `, in the demo ${literal(demo)}`
  const { shown = missing === undefined ? literal(standard) + other : 'needed, except in the demo' } = rule
  return { must, standard, demo, shown, missing, parse }
}

/** A text for which `parse` returns undefined breaks the rule. */
export function checked<T>({ parse, ...rule }: Rule<T> & { parse(text: string): T | undefined }): Kind<T> {
  return judged({
    ...rule,
    parse: (text, problem) => {
      const value = parse(text)
      return value === undefined ? problem(`must ${rule.must}`) : value
    },
  })
}

function literal(standard: unknown): string {
  const text = standard === null ? '' : String(standard)
  return text === '' ? 'none' : `\`${text}\``
}

/** Any text. */
export function text<S extends string | null>(
  standard: S,
  rule: Omit<Partial<Rule<string | S>>, 'standard'> = {},
): Kind<string | S> {
  return checked<string | S>({ must: '', ...rule, standard, parse: (given) => given })
}

/** `test` says which text is good. */
export function fitting(
  must: string,
  test: (given: string) => boolean,
  rule: { shown?: string; missing?: string } = {},
): Kind<string | null> {
  return checked<string | null>({ must, ...rule, standard: null, parse: (given) => (test(given) ? given : undefined) })
}

export function integer<S extends number | null>(
  standard: S,
  min: number,
  max: number,
  rule: { demo?: number } = {},
): Kind<number | S> {
  return checked<number | S>({
    must: `be a whole number from ${min} to ${max}`,
    standard,
    ...rule,
    parse: (given) => {
      const value = Number(given)
      return Number.isInteger(value) && value >= min && value <= max ? value : undefined
    },
  })
}

export function oneOf<const T extends string>(
  allowed: readonly T[],
  standard: NoInfer<T>,
  rule: { demo?: NoInfer<T> } = {},
): Kind<T> {
  const must = `be one of ${allowed.join(', ')}`
  return checked<T>({ must, standard, ...rule, parse: (given) => allowed.find((one) => one === given) })
}

const FLAGS = new Map([
  ['0', false],
  ['1', true],
  ['true', true],
  ['false', false],
])

export function flag(): Kind<boolean> {
  const must = `be one of ${[...FLAGS.keys()].join(', ')}`
  return checked<boolean>({ must, standard: false, shown: '`0`', parse: (given) => FLAGS.get(given) })
}

/** Parts between commas. */
export function list(must = ''): Kind<string[]> {
  return checked<string[]>({ must, standard: [], parse: partsOf })
}

export function partsOf(given: string): string[] {
  const parts = given.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** All of them unless some are named. */
export function listOf<const T extends string>(allowed: readonly T[]): Kind<T[]> {
  const standard = [...allowed]
  return checked<T[]>({
    must: `be a list of ${allowed.join(', ')}`,
    standard,
    parse: (given) => {
      const parts = partsOf(given)
      const found = parts.flatMap((part) => allowed.filter((one) => one === part))
      if (found.length < parts.length) return undefined
      return found.length === 0 ? standard : found
    },
  })
}

/** Millionths; null: no limit, or none. */
export function amount(
  standard: string | null,
  must = 'be an amount above zero, such as 5000.00',
  takesNone = true,
): Kind<bigint | null> {
  return checked<bigint | null>({
    must,
    standard: standard === null ? null : parseDecimal(standard),
    shown: literal(standard),
    parse: (given) => {
      if (given === 'none' && takesNone) return null
      const micros = parseDecimal(given)
      return micros !== null && micros > 0n ? micros : undefined
    },
  })
}

/** The same of both currencies. */
export function inBoth<N extends string, T>(name: N, [rub, usd]: readonly [Kind<T>, Kind<T>], words: string) {
  const both: Table<T> = { [`${name}_RUB`]: [rub, words], [`${name}_USD`]: [usd, words] }
  // TypeScript takes a computed name for any string.
  return both as Record<`${N}_RUB` | `${N}_USD`, Row<T>>
}

export function parseJson<T>(schema: z.ZodType<T>, given: string, problem: Problem): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(given))
    return parsed.success ? parsed.data : problem(z.prettifyError(parsed.error).replaceAll('\n', ' '))
  } catch (error) {
    return problem(`is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function isWebAddress(given: string): boolean {
  return URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)
}

export const LOOPBACK_HOSTS = ['127.0.0.1', '::1', '[::1]', 'localhost']

/** Nobody listens in on https, or on this machine. */
export function isGuarded(given: string): boolean {
  const url = URL.parse(given)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname))
}
