import { z } from 'zod'
import { digits } from './numbers.ts'

/** Words of the field that say that something is not here. */
export const NOT_HERE = 'NO_OPERATION'
export const BAD_ACTION = 'BAD_ACTION'
export const BAD_DATA = 'BAD_DATA'
export const BAD_KEY = 'BAD_KEY'

/** Whatever else there is in it is left alone. */
const pushSchema = z.object({ smsId: digits, phone: digits, phoneFrom: z.string().max(200), text: z.string() })

export type Push = z.output<typeof pushSchema>

/** What is wrong with it otherwise. */
export function readPush(json: Record<string, unknown>): Push | string {
  const read = pushSchema.safeParse(json)
  if (read.success) return read.data
  return `${BAD_DATA}: ${read.error.issues.map(({ path }) => path.join('.')).join(', ')}`
}

export function success(): string {
  return '{"status":"SUCCESS"}'
}

export function failure(error: string): string {
  return JSON.stringify({ status: 'ERROR', error })
}
