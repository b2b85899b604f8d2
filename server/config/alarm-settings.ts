import type { EnvironmentReader } from './environment.ts'

export type AlarmSettings = {
  /** Who is told of what goes wrong; null: nobody, and nothing is watched for it. */
  alarmMail: string | null
  /** More unmatched messages within an hour than this are an alarm. */
  alarmUnmatched: number
}

const ADDRESS_PATTERN = /^[^\s@<>,]+@[^\s@<>,]+$/

/** `ALARM_MAIL` and `ALARM_UNMATCHED`. */
export function readAlarms(read: EnvironmentReader): AlarmSettings {
  const alarmMail = read.optionalText('ALARM_MAIL')
  if (alarmMail !== null && !ADDRESS_PATTERN.test(alarmMail)) read.problem('ALARM_MAIL', 'must be one address')
  return { alarmMail, alarmUnmatched: read.integer('ALARM_UNMATCHED', 20, { min: 1, max: 100_000 }) }
}
