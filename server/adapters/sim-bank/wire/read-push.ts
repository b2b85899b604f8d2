import { z } from 'zod'
import { digits } from './numbers.ts'
import { BAD_DATA, type Reply } from './words.ts'

const pushSchema = z.object({ smsId: digits, phone: digits, phoneFrom: z.string().max(200), text: z.string() })

export type Push = z.output<typeof pushSchema>

/** Reads a push of a bank. Returns a text about the fault if the push is invalid. */
export function readPush(json: Record<string, unknown>): Push | string {
  const read = pushSchema.safeParse(json)
  if (read.success) return read.data
  return `${BAD_DATA}: ${read.error.issues.map(({ path }) => path.join('.')).join(', ')}`
}

export function success(): string {
  return write({ status: 'SUCCESS' })
}

export function failure(error: string): string {
  return write({ status: 'ERROR', error })
}

function write(reply: Reply): string {
  return JSON.stringify(reply)
}
