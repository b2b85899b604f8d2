import type { ActivationState } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import type { Keyboard } from '#server/house/bot/bot.ts'
import type { Verb } from '#server/surfaces/telegram/words/telegram-words.ts'
import { telegramWords } from '#server/surfaces/telegram/words/words-of.ts'

export function keyboardOf(row: { id: bigint; state: ActivationState }, locale: Locale): Keyboard | null {
  const verbs = verbsOf(row.state)
  if (verbs.length === 0) return null
  const { buttons } = telegramWords(locale)
  return { inline_keyboard: [verbs.map((verb) => ({ text: buttons[verb], callback_data: `${verb}:${row.id}` }))] }
}

function verbsOf(state: ActivationState): Verb[] {
  switch (state) {
    case 'waiting':
      return ['cancel']
    case 'received':
      return ['again', 'done']
    case 'waiting_again':
      return ['done']
    case 'reserving':
    case 'finished':
    case 'cancelled':
    case 'expired':
    case 'used':
    case 'failed':
      return []
    default:
      return state satisfies never
  }
}
