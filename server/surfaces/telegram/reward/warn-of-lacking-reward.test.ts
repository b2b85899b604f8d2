import { expect, test } from 'vitest'
import { TELEGRAM_TOKEN } from '#test/fakes/telegram/telegram-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { warnOfLackingReward } from './warn-of-lacking-reward.ts'

const REWARD = { TELEGRAM_SUBSCRIBE_REWARD_RUB: '15' }
const BOT = { TELEGRAM_BOT_NAME: 'ringpost_test_bot', TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN }
const PROMISES_NOTHING = /^TELEGRAM_SUBSCRIBE_REWARD_… promises nothing/

test.each([
  ['no bot', REWARD, [{ missing: ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_BOT_NAME'] }]],
  ['no channel', { ...REWARD, ...BOT }, [{ missing: ['TELEGRAM_CHANNEL'] }]],
  ['both', { ...REWARD, ...BOT, TELEGRAM_CHANNEL: 'ringpost_news' }, []],
  ['no reward', {}, []],
])('SP-9: the log says why a reward is promised to nobody: %s', async (_what, environment, told) => {
  await using t = await startTestApp({ environment })
  warnOfLackingReward(t.ctx)
  const warned = t.log.lines.filter(({ sentence }) => PROMISES_NOTHING.test(sentence))
  expect(warned.map(({ fields }) => fields)).toEqual(told)
})
