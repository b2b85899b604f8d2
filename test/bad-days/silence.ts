/** A call that somebody waits for: `asked` when it came, and answered when the test says so. */
export function gate<Answer>() {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<Answer>()
  const wait = () => {
    asked.resolve()
    return answered.promise
  }
  return { wait, asked: asked.promise, answer: answered.resolve }
}

/** What a supplier does that is away. */
export const noAnswer = async () => {
  throw new Error('503 Service Unavailable')
}
