import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum for argon2id: 19 MiB, two passes. About 50 ms on a small machine. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** More at once would only slow each other down and eat memory. */
const PARALLEL_HASHES = 2

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= PARALLEL_HASHES) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, ARGON2))
}

/** With no stored hash it hashes all the same, so that an unknown e-mail takes as long as a wrong password. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  return inTurn(async () => {
    if (stored !== null) return verify(stored, password)
    await hash(password, ARGON2)
    return false
  })
}
