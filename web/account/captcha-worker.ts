import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'

/** A worker solves the captcha's proof of work, because it would block the page. It posts the solution or null. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => postMessage(solution),
    // The promise rejects on an insecure origin, where browsers have no Web Crypto.
    () => postMessage(null),
  )
})
