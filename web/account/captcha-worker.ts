import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'

/** Solves the captcha's proof of work, which would block the page, and posts the solution or null. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => postMessage(solution),
    // solveChallenge rejects on an insecure origin, where browsers have no Web Crypto.
    () => postMessage(null),
  )
})
