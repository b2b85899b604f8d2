import type { EnvironmentReader } from './environment.ts'

/** Days; /privacy-policy names them. */
export type RetentionSettings = {
  messageKeepDays: number
  sessionKeepDays: number
  gatewayEventKeepDays: number
  receiptKeepDays: number
}

/** Banks let a payment be disputed within a year and a half. */
const DISPUTABLE_DAYS = 550

export function readRetention(read: EnvironmentReader): RetentionSettings {
  return {
    messageKeepDays: read.integer('MESSAGE_KEEP_DAYS', 30, { min: 1, max: 3650 }),
    sessionKeepDays: read.integer('SESSION_KEEP_DAYS', 90, { min: 1, max: 3650 }),
    gatewayEventKeepDays: read.integer('GATEWAY_EVENT_KEEP_DAYS', 730, { min: DISPUTABLE_DAYS, max: 3650 }),
    receiptKeepDays: read.integer('RECEIPT_KEEP_DAYS', 1095, { min: DISPUTABLE_DAYS, max: 3650 }),
  }
}
