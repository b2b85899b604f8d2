import {
  amount,
  checked,
  fitting,
  inBoth,
  integer,
  isGuarded,
  isWebAddress,
  judged,
  oneOf,
  type Table,
} from './kinds.ts'

const TOKEN_PATTERN = /^\d{3,20}:[\w-]{30,100}$/
const NAME_PATTERN = /^[A-Za-z]\w{3,31}$/
const ROOT_RULE = 'begin with https:// (http:// on this machine alone)'
const A_YEAR_OF_HOURS = 8760

const name = checked<string | null>({
  must: 'be a name of Telegram: 4 to 32 letters, digits and underscores',
  standard: null,
  parse: (given) => [given.replace(/^@/, '')].find((each) => NAME_PATTERN.test(each)),
})

export const TELEGRAM_SETTINGS = {
  TELEGRAM_BOT_TOKEN: [
    fitting('be a token as @BotFather gives it: 123456:ABC…', (given) => TOKEN_PATTERN.test(given)),
    '[The bot](telegram.md#setting-it-up) has this token, a secret, and `TELEGRAM_BOT_NAME`.',
  ],
  TELEGRAM_BOT_NAME: [name, 'The bot has this name.'],
  TELEGRAM_CHANNEL: [name, 'People who join this public channel are rewarded. The bot is an administrator there.'],
  TELEGRAM_UPDATES: [
    oneOf(['polling', 'webhook'], 'polling'),
    'With `webhook` Telegram sends updates to `PUBLIC_URL`, which must be https and reachable.',
  ],
  TELEGRAM_API_ROOT: [
    judged({
      must: ROOT_RULE,
      standard: 'https://api.telegram.org',
      parse: (given, problem) => {
        if (!isWebAddress(given)) return problem('must be an address that begins with http:// or https://')
        // The address must be safe from eavesdroppers, because Telegram's API carries the bot's token in the path.
        return isGuarded(given) ? new URL(given).origin : problem(`must ${ROOT_RULE}`)
      },
    }),
    'A Bot API server of your own may answer instead.',
  ],
  ...inBoth(
    'TELEGRAM_SUBSCRIBE_REWARD',
    [amount(null), amount(null)],
    'Joining the channel brings so much, [once](telegram.md#the-reward). The reward needs a bot and `TELEGRAM_CHANNEL`.',
  ),
  TELEGRAM_REWARD_NEEDS_TOP_UP: [oneOf(['0', '1'], '1'), '`0` gives the reward without a top-up.'],
  TELEGRAM_REWARD_ACCOUNT_HOURS: [integer(0, 0, A_YEAR_OF_HOURS), 'An account must be so old for the reward.'],
  TELEGRAM_REWARD_LINK_HOURS: [
    integer(24, 0, A_YEAR_OF_HOURS),
    'The chat must be linked for so long before the reward.',
  ],
} satisfies Table
