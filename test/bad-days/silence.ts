/** Returns a fake function `wait`. `asked` resolves when it is called, and `answer` makes it return. */
export function gate<Answer>() {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<Answer>()
  const wait = () => {
    asked.resolve()
    return answered.promise
  }
  return { wait, asked: asked.promise, answer: answered.resolve }
}

/** Fails like a supplier that does not answer. */
export const noAnswer = async () => {
  throw new Error('503 Service Unavailable')
}
