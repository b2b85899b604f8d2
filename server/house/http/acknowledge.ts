import type { Context } from '#server/house/context.ts'

export function acknowledge<Who, Input>(verb: (ctx: Context, caller: Who, input: Input) => Promise<unknown>) {
  return async (ctx: Context, caller: Who, input: Input): Promise<{ status: true }> => {
    await verb(ctx, caller, input)
    return { status: true }
  }
}
