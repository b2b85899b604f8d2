import { SECOND } from '#contract/time.ts'
import { followUpdates } from '#server/surfaces/telegram/updates/follow-updates.ts'
import { count } from '#test/builders/activation-rows.ts'
import type { TelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { call } from '#test/harness/calls.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

/** The pause in ms after which Telegram accepts a burst of messages to a chat again. */
const BURST_MS = 5 * SECOND
const MOST_ROUNDS = 200

/** Runs all due jobs, in rounds, because graphile-worker frees a queue only after looking for the next job. */
export async function workOff(t: TestApp): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await t.runJobs()
    if ((await count(t.ctx, 'graphile_worker._private_jobs WHERE run_at <= now() AND attempts < max_attempts')) === 0)
      return
  }
  throw new Error('jobs come and come')
}

/** Runs all due jobs. Then advances the clock by seconds until no Telegram job waits for its chat's rate limit. */
export async function workOffInOrder(t: TestApp): Promise<void> {
  await workOff(t)
  for (let second = 0; second < MOST_ROUNDS; second += 1) {
    if ((await count(t.ctx, `graphile_worker.jobs WHERE task_identifier LIKE 'telegram-%'`)) === 0) return
    await passSecond(t)
  }
  throw new Error('chats never take what waits for them')
}

export async function passSecond(t: TestApp): Promise<void> {
  t.clock.advance(SECOND)
  await t.ctx.db.query({ text: `UPDATE graphile_worker._private_jobs SET run_at = run_at - interval '1 second'` })
  await workOff(t)
}

/** Makes the bot fetch and answer everything that was written to it. */
export async function bring(t: TestApp): Promise<void> {
  await takeIn(t)
  await workOff(t)
}

/** Fetches everything that was written to the bot. A single poll brings only ten updates. */
export async function takeIn(t: TestApp): Promise<void> {
  const { work } = followUpdates(t.ctx)
  const taken = () => count(t.ctx, 'telegram_updates')
  for (let before = -1; before < (await taken()); await work()) before = await taken()
}

/** Opens a deep link to the bot and presses the button in the bot's reply, if there is one. */
export async function openLink(t: TestApp, house: TelegramHouse, { person, token }: LinkVisit): Promise<void> {
  t.clock.advance(BURST_MS)
  house.write(person, `/start ${token}`)
  await bring(t)
  const asked = house.sent.findLast(({ chatId }) => chatId === person)
  for (const data of asked?.buttons ?? []) if (data.startsWith('link:')) house.press(person, data)
  await bring(t)
}

type LinkVisit = { person: number; token: string }

/** Links the Telegram chat of `person` to the account, and then clears the list of the bot's messages. */
export async function linkChat(
  t: TestApp,
  house: TelegramHouse,
  { user, person, codes = true }: { user: TestUser; person: number; codes?: boolean },
): Promise<void> {
  const { url } = await call(t, 'POST /api/v1/telegram/link', { codes }, user)
  await openLink(t, house, { person, token: new URL(url).searchParams.get('start') ?? '' })
  // The bot's answers count against the chat's rate limit.
  t.clock.advance(BURST_MS)
  for (const heard of [house.sent, house.answers, house.calls]) heard.length = 0
}
