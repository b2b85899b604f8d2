import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'

/**
 * The proof of work runs in this worker, because it would block the page. The worker replies with the solution or null.
 */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => postMessage(solution),
    // Browsers offer Web Crypto on secure origins only.
    () => postMessage(null),
  )
})
