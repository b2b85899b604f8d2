export type LoginValues = { email: string; password: string }
export type LoginErrors = { email?: string | undefined; password?: string | undefined }

/** Loose on purpose: something, an @, something with a dot. The server knows the rest. */
const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** What is wrong with the form before it is sent, in the given words. An empty object when nothing is. */
export function checkLogin(values: LoginValues, words: { required: string; invalidEmail: string }): LoginErrors {
  const errors: LoginErrors = {}
  const email = values.email.trim()
  if (email === '') errors.email = words.required
  else if (!EMAIL_PATTERN.test(email)) errors.email = words.invalidEmail
  // Blank is judged as everywhere else; the password itself is sent as typed.
  if (values.password.trim() === '') errors.password = words.required
  return errors
}
