import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Functions that a child process offers. Inputs and results are copied between the processes. */
export type Answers = Record<string, (input: never) => unknown>

export type Child<A extends Answers> = AsyncDisposable & {
  pid: number
  ask<Name extends keyof A & string>(name: Name, input: Parameters<A[Name]>[0]): Promise<Awaited<ReturnType<A[Name]>>>
}

type Question = { id: number; name: string; input: unknown }
type Reply = { id: number; result: unknown } | { id: number; failure: string }

const STOP_LIMIT_MS = 15_000

/** Starts a child process whose module ends with `answerParent(…)`. Disposing the child waits for its exit. */
export async function startChild<A extends Answers>(
  program: URL,
  options: { environment?: Record<string, string>; args?: string[]; nodeArgs?: string[] } = {},
): Promise<Child<A>> {
  const child = fork(fileURLToPath(program), options.args ?? [], {
    env: { ...process.env, ...options.environment },
    execArgv: options.nodeArgs ?? [],
    serialization: 'advanced',
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const ready = Promise.withResolvers<unknown>()
  waiting.set(READY, ready)
  const gone = Promise.withResolvers<void>()
  child.once('exit', (code, signal) => {
    for (const question of waiting.values()) question.reject(new Error(`${program.pathname} ended: ${signal ?? code}`))
    gone.resolve()
  })
  child.on('message', (message) => {
    // The cast is safe: only `answerParent` writes to this channel.
    const reply = message as Reply
    const question = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('failure' in reply) question?.reject(new Error(reply.failure))
    else question?.resolve(reply.result)
  })
  await ready.promise
  let asked = READY
  return {
    pid: child.pid ?? 0,
    ask(name, input) {
      asked += 1
      const question = Promise.withResolvers<unknown>()
      waiting.set(asked, question)
      child.send({ id: asked, name, input } satisfies Question)
      // The channel cannot carry the type `A`, which describes the child's results, so a cast is needed.
      return question.promise as ReturnType<Child<A>['ask']>
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      await gone.promise
      clearTimeout(timer)
    },
  }
}

const READY = 0

/** Makes this child process answer calls of its parent. `close` runs when the parent disconnects. */
export function answerParent(answers: Answers, close: () => Promise<void> = async () => undefined): void {
  const reply = (message: Reply): void => {
    if (process.connected) process.send?.(message)
  }
  const answer = async ({ name, input }: Question & { input: never }) => answers[name]?.(input)
  process.on('message', (message) => {
    // The cast is safe: only `startChild` writes to this channel, and the caller states the type of the input.
    const question = message as Question & { input: never }
    const { id } = question
    answer(question).then(
      (result) => reply({ id, result }),
      (error: unknown) =>
        reply({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.once('disconnect', () => {
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  reply({ id: READY, result: undefined })
}
