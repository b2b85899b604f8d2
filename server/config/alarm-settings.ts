import type { EnvironmentReader } from './environment.ts'

export type AlarmSettings = {
  /** null: no alarms. */
  alarmMail: string | null
  alarmUnmatched: number
}

const ADDRESS_PATTERN = /^[^\s@<>,]+@[^\s@<>,]+$/

export function readAlarms(read: EnvironmentReader): AlarmSettings {
  const alarmMail = read.optionalText('ALARM_MAIL')
  if (alarmMail !== null && !ADDRESS_PATTERN.test(alarmMail)) read.problem('ALARM_MAIL', 'must be one address')
  return { alarmMail, alarmUnmatched: read.integer('ALARM_UNMATCHED', 20, { min: 1, max: 100_000 }) }
}
