import { WrongUsage } from '#server/programs/cli/command.ts'
import { readTyped } from './typed-settings.ts'

/** A change typed as `tls.cert=@new.pem`, with the text of the file. */
export type SettingChange = { name: string; text: string }

type Settings = Record<string, unknown>

const CHANGE_PATTERN = /^([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)=(.*)$/is

/** Parses a change of one setting, typed as KEY=VALUE. Errors never repeat the value, which may be a password. */
export async function readSettingChange(typed: string, place: number): Promise<SettingChange> {
  const [, name, value] = CHANGE_PATTERN.exec(typed) ?? []
  if (name === undefined || value === undefined) {
    throw new WrongUsage(`Setting ${place + 1} is not written as KEY=VALUE`)
  }
  // Editors end a file with a line feed that is no part of the password.
  return { name, text: (await readTyped(value)).replace(/\r?\n$/, '') }
}

/**
 * Applies a change of one setting. `null` removes the setting, and text that is not JSON is stored as it is. A setting
 * that was text stays text, because a password may be all digits.
 */
export function changeSetting(settings: Settings, { name, text }: SettingChange): Settings {
  const [key = '', ...rest] = name.split('.')
  const current = Object.hasOwn(settings, key) ? settings[key] : undefined
  if (rest.length > 0) {
    if (current !== undefined && !isSettings(current)) throw new WrongUsage(`The setting ${key} has no parts`)
    return { ...settings, [key]: changeSetting(current ?? {}, { name: rest.join('.'), text }) }
  }
  const value = readValue(text, current)
  if (value !== null) return { ...settings, [key]: value }
  const { [key]: _gone, ...others } = settings
  return others
}

function readValue(text: string, current: unknown): unknown {
  const value = parseJson(text)
  if (value === undefined) return text
  const staysText = typeof current === 'string' && (typeof value === 'number' || typeof value === 'boolean')
  return staysText ? text : value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
