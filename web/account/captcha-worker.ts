import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'

/** Works on one riddle of proof of work beside the page, so that the page stays alive. Answers the solution, or null. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => postMessage(solution),
    // Without a secure origin there is no cryptography in the browser to solve it with.
    () => postMessage(null),
  )
})
