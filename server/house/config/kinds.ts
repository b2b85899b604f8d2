import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'

/** A kind of setting: how its text is parsed, how a bad value is reported, and how the documentation describes it. */
export type Kind<T> = {
  /** The rule that a value must obey, worded to follow "must". An empty rule accepts any text. */
  must: string
  standard: T
  demo: T
  shown: string
  /** The problem if the setting is missing outside the demo. Undefined means that the setting is optional. */
  missing: string | undefined
  /** Parses the text of the setting. Returns undefined after a problem was reported. */
  parse(text: string, problem: Problem): T | undefined
}
export type Problem = (words: string) => undefined

export type Row<T> = readonly [Kind<T>, string]
export type Table<T = unknown> = Readonly<Record<string, Row<T>>>

type Rule<T> = { must: string; standard: T; demo?: T; shown?: string; missing?: string }

export function judged<T>(rule: Rule<T> & Pick<Kind<T>, 'parse'>): Kind<T> {
  const { must, standard, demo = standard, missing, parse } = rule
  const other = demo === standard ? '' : `, in the demo ${literal(demo)}`
  const { shown = missing === undefined ? literal(standard) + other : 'needed, except in the demo' } = rule
  return { must, standard, demo, shown, missing, parse }
}

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

export function text<S extends string | null>(
  standard: S,
  rule: Omit<Partial<Rule<string | S>>, 'standard'> = {},
): Kind<string | S> {
  return checked<string | S>({ must: '', ...rule, standard, parse: (given) => given })
}

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

export function list(must = ''): Kind<string[]> {
  return checked<string[]>({ must, standard: [], parse: partsOf })
}

export function partsOf(given: string): string[] {
  const parts = given.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** Builds the kind of a setting that is a list of allowed words. An empty setting means all of the words. */
export function listOf<const T extends string>(
  allowed: readonly T[],
  standard: NoInfer<T>[] = [...allowed],
): Kind<T[]> {
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

/** Builds the kind of a setting that is an amount in micros. Null means no limit or no amount. */
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

export function inBoth<N extends string, T>(name: N, [rub, usd]: readonly [Kind<T>, Kind<T>], words: string) {
  const both: Table<T> = { [`${name}_RUB`]: [rub, words], [`${name}_USD`]: [usd, words] }
  // The cast is needed because TypeScript widens a computed name to string.
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

/** Returns true if the URL is safe from eavesdroppers, because it uses https, or http within this machine. */
export function isGuarded(given: string): boolean {
  const url = URL.parse(given)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname))
}
