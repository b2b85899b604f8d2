import { CallError } from '#contract/calls/calls.ts'

/** What is gone already is the wanted outcome of a removal, such as one in another tab. */
export async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof CallError) || error.httpStatus !== 404) throw error
  }
}
