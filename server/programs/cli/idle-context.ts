import { Background } from '#server/house/background.ts'
import type { Context } from '#server/house/context.ts'
import { Memory } from '#server/house/memory.ts'
import type { DatabaseCli } from './command.ts'

/** Returns a context for suppliers and gateways that are built only to check their settings and never started. */
export function idleContext({ pool, clock, random, log }: DatabaseCli): Context {
  const config = { publicUrl: new URL('https://ringpost.invalid') }
  const parts = { memory: new Memory(), background: new Background(log), redis: null }
  const idle = { db: pool, clock, random, log, config, ...parts }
  // The cast is safe: suppliers and gateways use only these parts of the context before they start.
  return idle as unknown as Context
}
