export class ConfigError extends Error {
  override name = 'ConfigError'
}

export const LOOPBACK_HOSTS = ['127.0.0.1', '::1', '[::1]', 'localhost']

export type Environment = Record<string, string | undefined>

/** All faults are collected, so that one error reports them. */
export class EnvironmentReader {
  private readonly environment: Environment
  private readonly problems: string[] = []

  constructor(environment: Environment) {
    this.environment = environment
  }

  problem(name: string, text: string): void {
    this.problems.push(`${name} ${text}`)
  }

  has(name: string): boolean {
    return this.optionalText(name) !== null
  }

  optionalText(name: string): string | null {
    const value = this.environment[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  text(name: string, standard: string): string {
    return this.optionalText(name) ?? standard
  }

  flag(name: string): boolean {
    return this.oneOf(name, ['0', '1', 'true', 'false'], '0').replace('true', '1') === '1'
  }

  list(name: string): string[] {
    const text = this.optionalText(name)
    return text === null
      ? []
      : text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], standard: NoInfer<T>): T {
    const text = this.optionalText(name)
    if (text === null) return standard
    const found = allowed.find((one) => one === text)
    if (found === undefined) this.problem(name, `must be one of ${allowed.join(', ')}`)
    return found ?? standard
  }

  oneOfList<const T extends string>(name: string, allowed: readonly T[], standard: T[]): T[] {
    const parts = this.list(name)
    if (parts.length === 0) return standard
    const found = parts.map((part) => allowed.find((one) => one === part)).filter((one) => one !== undefined)
    if (found.length !== parts.length) this.problem(name, `must be a list of ${allowed.join(', ')}`)
    return found.length === 0 ? standard : found
  }

  optionalInteger(name: string, bounds: { min: number; max: number }): number | null {
    const text = this.optionalText(name)
    if (text === null) return null
    const value = Number(text)
    if (Number.isInteger(value) && value >= bounds.min && value <= bounds.max) return value
    this.problem(name, `must be a whole number from ${bounds.min} to ${bounds.max}`)
    return bounds.min
  }

  integer(name: string, standard: number, bounds: { min: number; max: number }): number {
    return this.optionalInteger(name, bounds) ?? standard
  }

  url(name: string, standard: string): URL {
    const text = this.text(name, standard)
    if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
    this.problem(name, 'must be an address that begins with http:// or https://')
    return new URL(standard)
  }

  finish(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems.join('\n'))
  }
}
