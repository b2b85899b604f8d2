import { hash, verify } from '@node-rs/argon2'
import { tooManyRequests } from '#server/errors.ts'

/** OWASP's minimum for argon2id: 19 MiB, two passes. About 50 ms on a small machine. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** More at once would only slow each other down and eat memory. */
const PARALLEL_HASHES = 2
/** Who comes later than that would wait for seconds: he is told to come again. */
const MAX_WAITING = 100
const COME_AGAIN_SECONDS = 5

let running = 0
const waiting: (() => void)[] = []

/** The one who is done hands his place to the next in line, so that nobody slips in between. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < PARALLEL_HASHES) running += 1
  else if (waiting.length >= MAX_WAITING) throw tooManyRequests(COME_AGAIN_SECONDS)
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

/** One letter may be typed as one character or as two: both are the same password. */
const sameLetters = (password: string) => password.normalize('NFC')

/** `salt`: for hashes that are to be found again; a random one otherwise. Throws TOO_MANY_REQUESTS when too many wait. */
export async function hashPassword(password: string, salt?: Uint8Array): Promise<string> {
  return inTurn(() => hash(sameLetters(password), salt === undefined ? ARGON2 : { ...ARGON2, salt }))
}

/**
 * With no stored hash it hashes all the same, so that an unknown e-mail takes as long as a wrong password. Throws
 * TOO_MANY_REQUESTS when too many wait.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  return inTurn(async () => {
    if (stored !== null) return verify(stored, sameLetters(password))
    await hash(sameLetters(password), ARGON2)
    return false
  })
}
