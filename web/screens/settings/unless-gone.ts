import { CallError } from '#contract/calls/calls.ts'

/** Ignores a 404 of a removal. The record is gone already, for example because another tab removed it. */
export async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof CallError) || error.httpStatus !== 404) throw error
  }
}
