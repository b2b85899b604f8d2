import { CallError } from '#contract/calls/calls.ts'

/** Ignores a 404 of a removal, because another tab may have removed the record already. */
export async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof CallError) || error.httpStatus !== 404) throw error
  }
}
