import type { Row } from './kinds.ts'
import { SETTING_NAMES, SETTINGS, type SettingName, type Values } from './settings.ts'

export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Environment = Record<string, string | undefined>

type Pair = { [N in SettingName]: N extends `${infer P}_RUB` ? P : never }[SettingName]

/** Reads settings from the environment and collects all problems, so that one error reports all of them. */
export class EnvironmentReader {
  readonly demo: boolean
  private readonly environment: Environment
  private readonly problems: string[] = []

  constructor(environment: Environment) {
    this.environment = environment
    this.demo = SETTINGS.DEMO[0].parse(this.text('DEMO') ?? '', () => undefined) ?? false
  }

  /** Returns a setting, read from `derived` if it is not set. A bad value is recorded and replaced by the default. */
  get<N extends SettingName>(name: N, derived: string | null = null): Values[N] {
    const [kind]: Row<Values[N]> = SETTINGS[name]
    const text = this.text(name) ?? derived
    const value = text === null ? undefined : kind.parse(text, (words) => this.problem(name, words))
    return value === undefined ? (this.demo ? kind.demo : kind.standard) : value
  }

  inBoth<P extends Pair>(name: P): { rub: Values[`${P}_RUB`]; usd: Values[`${P}_USD`] } {
    return { rub: this.get(`${name}_RUB`), usd: this.get(`${name}_USD`) }
  }

  text(name: string): string | null {
    const value = this.environment[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  has(name: SettingName): boolean {
    return this.text(name) !== null
  }

  problem(name: SettingName | 'LISTEN_FDS', words: string): undefined {
    this.problems.push(`${name} ${words}`)
    return undefined
  }

  breaks(name: SettingName, why = ''): void {
    this.problem(name, `must ${SETTINGS[name][0].must}${why}`)
  }

  together(name: SettingName, other: SettingName): void {
    if (this.has(name) !== this.has(other)) this.problem(name, `and ${other} must be set together`)
  }

  needAll(): void {
    for (const name of SETTING_NAMES) {
      const [{ missing }] = SETTINGS[name]
      if (missing !== undefined && !this.has(name)) this.problem(name, missing)
    }
  }

  finish(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems.join('\n'))
  }
}
