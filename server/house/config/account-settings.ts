import { closeSync, openSync, readSync } from 'node:fs'
import { fitting, integer, type Table } from './kinds.ts'

const HASH_LINE = /^[0-9A-F]{40}(?::\d+)?\r?\n/i
const LINE_BYTES = 80
const TEN_YEARS = 3650
/** The number of days for which a payment may be disputed. Banks allow disputes for up to a year and a half. */
const DISPUTABLE_DAYS = 550

export const ACCOUNT_SETTINGS = {
  SESSION_DAYS: [integer(90, 1, 365), 'A session ends so long after its beginning. A refresh does not extend it.'],
  /** Only the first line of the file of leaked passwords is checked, so that a wrong file makes the start fail. */
  BREACHED_PASSWORDS_FILE: [
    fitting('be a file whose lines begin with a SHA-1 in hex, in order', (path) => HASH_LINE.test(firstBytes(path))),
    'Nobody may set a password of this list of leaked ones, which Have I Been Pwned gives out.',
  ],
  MESSAGE_KEEP_DAYS: [integer(30, 1, TEN_YEARS), 'The words of messages are deleted then, and their codes.'],
  SESSION_KEEP_DAYS: [integer(90, 1, TEN_YEARS), 'The device and address of an ended session are kept for so long.'],
  GATEWAY_EVENT_KEEP_DAYS: [
    integer(730, DISPUTABLE_DAYS, TEN_YEARS),
    'Webhooks of gateways and the networks of payers are kept for so long, as evidence.',
  ],
  RECEIPT_KEEP_DAYS: [
    integer(1095, DISPUTABLE_DAYS, TEN_YEARS),
    'Requests with receipts are kept for so long. /privacy-policy names [all of these](privacy.md).',
  ],
} satisfies Table

function firstBytes(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(LINE_BYTES)
      return bytes.toString('latin1', 0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}
