/**
 * Returns a call that the test answers: `asked` resolves when the call came, and the test decides when it is answered.
 */
export function gate<Answer>() {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<Answer>()
  const wait = () => {
    asked.resolve()
    return answered.promise
  }
  return { wait, asked: asked.promise, answer: answered.resolve }
}

/** The behaviour of a supplier that does not answer. */
export const noAnswer = async () => {
  throw new Error('503 Service Unavailable')
}
