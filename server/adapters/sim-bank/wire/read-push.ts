import { z } from 'zod'
import { digits } from './numbers.ts'

export const NOT_HERE = 'NO_OPERATION'
export const BAD_ACTION = 'BAD_ACTION'
export const BAD_DATA = 'BAD_DATA'
export const BAD_KEY = 'BAD_KEY'

const pushSchema = z.object({ smsId: digits, phone: digits, phoneFrom: z.string().max(200), text: z.string() })

export type Push = z.output<typeof pushSchema>

/** Reads a push of a bank. Returns a text about the fault if the push is invalid. */
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
