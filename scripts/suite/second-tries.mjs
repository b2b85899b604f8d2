/**
 * A test that failed and then passed. `seed` is the random seed that the failure named; `how` is the failure message.
 * @typedef {{ name: string, isGrave: boolean, seed: string | null, how: string }} SecondTry
 */

/** The maximum number of second tries in a whole run. A run with more second tries fails (STYLE.md, 28). */
const MOST = 3
const MOST_GRAVE = 1

/** Folders where a failure may cost money, give a message to the wrong person, or lose data in a crash. */
const GRAVE_PLACES = new RegExp(
  `^(${[
    'server/house/money',
    'server/core/(payments|gateways|programmes)',
    'server/core/numbers/(activations|delivery|intake|messages|ownership|preorders|purchase|refunds|rentals|sourcing)',
    'server/adapters/(shared/(chain|coins)|btcpay|evm|heleket|sandbox-gateway|stripe|transfer|tron|vouchers|yookassa)',
    'test/bad-days',
  ].join('|')})/`,
)
const DRAWN = /\.property\.test\.tsx?$/
const DRAWS = /from '(fast-check|#test\/builders\/hostile-bodies\.ts)'/

/** Tells whether a failure in a test file may cost somebody money or a message. `text` is the file's content. */
export function isGraveFile(path, text) {
  return GRAVE_PLACES.test(path) || DRAWN.test(path) || DRAWS.test(text)
}

const SEEDS = [/\{ seed: -?\d+[^}]*\}/, /\bSEED=\w+/]

/** Returns the random seed that an error message names, or null. @param {readonly { message?: string }[]} errors */
export function seedOf(errors) {
  const told = errors.map(({ message = '' }) => message).join('\n')
  return SEEDS.map((pattern) => pattern.exec(told)?.[0]).find((seed) => seed !== undefined) ?? null
}

/**
 * Returns a sentence for each exceeded limit of tests that passed only on a second try.
 * @param {readonly SecondTry[]} tries
 */
export function judgeSecondTries(tries) {
  const grave = tries.filter(({ isGrave }) => isGrave)
  const reasons = []
  if (tries.length > MOST) reasons.push(`${tries.length} tests passed only on a second try, ${MOST} at most`)
  if (grave.length > MOST_GRAVE) {
    const kinds = 'money, ownership, crashes and properties'
    reasons.push(
      `${grave.length} of them are of ${kinds}, ${MOST_GRAVE} at most: ${grave.map(({ name }) => name).join('; ')}`,
    )
  }
  return reasons
}

/** Returns lines that list tests which passed only on a second try. @param {readonly SecondTry[]} tries */
export function tellSecondTries(tries) {
  return tries.flatMap(({ name, seed, how }) => [
    `  passed on a second try, mend it: ${name}${seed === null ? '' : ` (${seed})`}`,
    ...how.split('\n').map((line) => `      ${line}`),
  ])
}
