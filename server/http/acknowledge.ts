import type { Context } from '#server/context.ts'

/** The `handle` of a call that does something and has nothing to tell but that it was done. */
export function acknowledge<Who, Input>(verb: (ctx: Context, caller: Who, input: Input) => Promise<unknown>) {
  return async (ctx: Context, caller: Who, input: Input): Promise<{ status: true }> => {
    await verb(ctx, caller, input)
    return { status: true }
  }
}
