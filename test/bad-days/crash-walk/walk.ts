import { expect } from 'vitest'
import { CommandRefused } from '#server/programs/cli/command.ts'
import { FAULTS, type Fault, type Planned, type Sent } from '#test/bad-days/crash-walk/faults/faulty-pool.ts'
import { chance, drawnBy, drawSample, randomRuns } from '#test/harness/random-runs.ts'
import { checkAll, checkCase, mark } from './check-case.ts'
import { type Answer, beginAgain, recover, settleDown, type World } from './world.ts'

/** A crash walk tests one action of the service from a given state, with a fault at each of its statements. */
export type Walk<Given extends { userIds: number[] } = { userIds: number[] }> = {
  name: string
  /** Creates the state before the action, without faults. Returns the users whose books are checked. */
  given(world: World): Promise<Given>
  /** Runs the action, again and again until it is answered. Returns null if no answer arrived. */
  act(world: World, given: Given): Promise<Answer | null>
  /** Error codes that are allowed as the final answer, for example because an earlier try succeeded. */
  refusals?: readonly string[]
  /** True if the action carries an Idempotency-Key, so that a repeated call returns the same answer. */
  keyed?: boolean
  faults?: readonly Fault[]
  after?(world: World, given: Given, answer: Answer): Promise<void>
}

/** The statements that the walks of a file sent. Statements of the code that are missing here are reported. */
export type Reached = Sent[]

/**
 * The first SQL statement of each call with a session. It precedes all changes, so only the first walk of a test file
 * tries faults at it.
 */
const WHO_CALLS = 'session-by-access'
const MAX_TOLD = 10

/** The share of statements at which the suite tries faults. Each commit's seed draws different statements. */
const STATEMENT_SHARE = 1 / 4

/** Runs a crash walk: an action without a fault, then with each selected fault at each selected SQL statement. */
export async function walk<Given extends { userIds: number[] }>(
  world: World,
  one: Walk<Given>,
  reached: Reached,
): Promise<void> {
  await takeUp(world)
  // The first run also does work that earlier walks left to periodic jobs, so the second run is recorded.
  await walkUndisturbed(world, one)
  const statements = await walkUndisturbed(world, one)
  const seen = new Set(reached.map(({ name }) => name))
  reached.push(...statements)
  const wrong: Error[] = []
  const places = [...statements.entries()].filter(([, { name }]) => name !== WHO_CALLS || !seen.has(name))
  for (const [place, { name, text }] of drawSample(places, one.name, STATEMENT_SHARE)) {
    for (const fault of faultsAt(`${one.name} ${place}`, one.faults ?? FAULTS)) {
      await walkOnce(world, one, { at: place, fault }).catch(async (error: unknown) => {
        const statement = name ?? text.replaceAll(/\s+/g, ' ').slice(0, 60)
        wrong.push(new Error(`${fault} at statement ${place} (${statement}): ${String(error)}`, { cause: error }))
        await takeUp(world)
      })
    }
  }
  await checkAll(world).catch((error: unknown) =>
    wrong.push(new Error(`afterwards: ${String(error)}`, { cause: error })),
  )
  if (wrong.length > 0) {
    const told = wrong.slice(0, MAX_TOLD).map(({ message }) => message)
    throw new Error([`${one.name}: ${wrong.length} cases went wrong`, drawnBy(), ...told].join('\n'), {
      cause: wrong[0]?.cause,
    })
  }
}

/** Recovers before a walk is repeated: the first try may have left a dead process or an unused fault. */
async function takeUp(world: World): Promise<void> {
  world.life.faulty.rest()
  if (!world.life.faulty.isDead) return
  await beginAgain(world)
  await recover(world)
}

/** Returns all faults in `npm run soak`, and otherwise every second fault, beginning where the seed says. */
function faultsAt(statement: string, faults: readonly Fault[]): readonly Fault[] {
  const step = randomRuns({ suite: 2, soak: 1 })
  return faults.filter((_, index) => (index + chance(statement)) % step === 0)
}

async function walkUndisturbed<Given extends { userIds: number[] }>(world: World, one: Walk<Given>): Promise<Sent[]> {
  const since = mark(world)
  const given = await one.given(world)
  const { faulty } = world.life
  faulty.listen()
  const answer = await one.act(world, given)
  await world.life.ctx.background.idle()
  const { sent } = faulty
  faulty.rest()
  expect(sent).not.toEqual([])
  await finish(world, one, { given, since, answer: await askUntilAnswered(world, one, { given, answer }) })
  return sent
}

async function walkOnce<Given extends { userIds: number[] }>(
  world: World,
  one: Walk<Given>,
  planned: Planned,
): Promise<void> {
  const since = mark(world)
  const given = await one.given(world)
  const { faulty, ctx } = world.life
  faulty.plan(planned)
  const answer = await one.act(world, given)
  if (!faulty.isDead) await Promise.race([ctx.background.idle(), faulty.killed])
  await takeUp(world)
  expect(faulty.happened, 'the statement was not reached again').toBe(true)
  await finish(world, one, { given, since, answer: await askUntilAnswered(world, one, { given, answer }) })
}

/**
 * The maximum number of waits before a call is repeated: one for the planned fault, and one for a failure of the
 * supplier.
 */
const MAX_WAITS = 2

/** Repeats a call that failed or got no answer, first at once and then after a while. */
async function askUntilAnswered<Given extends { userIds: number[] }>(
  world: World,
  one: Walk<Given>,
  { given, answer }: { given: Given; answer: Answer | null },
): Promise<Answer | null> {
  let latest = isAnswer(answer) ? answer : await one.act(world, given)
  for (let waits = 0; waits < MAX_WAITS && !isAnswer(latest); waits += 1) {
    await settleDown(world)
    latest = await one.act(world, given)
  }
  return latest
}

function isAnswer(answer: Answer | null): answer is Answer {
  return answer !== null && answer.status < 500 && answer.code !== 'IN_PROGRESS'
}

async function finish<Given extends { userIds: number[] }>(
  world: World,
  one: Walk<Given>,
  { given, since, answer }: { given: Given; since: ReturnType<typeof mark>; answer: Answer | null },
): Promise<void> {
  expectAnswer(one, answer)
  await settleDown(world)
  if (one.keyed === true && answer.status < 400) {
    const again = await one.act(world, given)
    expect({ status: again?.status, id: idOf(again) }).toEqual({ status: answer.status, id: idOf(answer) })
  }
  await checkCase(world, given.userIds, since)
  await one.after?.(world, given, answer)
}

function expectAnswer(
  { refusals = [] }: { refusals?: readonly string[] },
  answer: Answer | null,
): asserts answer is Answer {
  const { status, code } = answer ?? { status: 0, code: null }
  if (status >= 200 && status < 400) return
  expect(refusals, `answered ${status} ${code}`).toContain(code)
}

function idOf(answer: Answer | null): unknown {
  const data = answer?.body.data
  return typeof data === 'object' && data !== null && 'id' in data ? data.id : null
}

const DONE: Answer = { status: 200, code: null, body: {}, cookies: {} }
const FAILED: Answer = { ...DONE, status: 500 }
const REFUSED: Answer = { ...DONE, status: 409, code: 'REFUSED' }

/**
 * Runs work of the service for whose result no caller waits, such as a sweep. Returns whether the work was done,
 * refused or failed, or null if the process died.
 */
export async function attempt(world: World, work: () => Promise<unknown>): Promise<Answer | null> {
  const { faulty, ctx } = world.life
  const worked = work().then(
    () => DONE,
    (error: unknown) => {
      if (error instanceof CommandRefused) return REFUSED
      ctx.log.warn({ error }, 'the work of a walk failed')
      return FAILED
    },
  )
  return (await Promise.race([worked, faulty.killed])) ?? null
}
