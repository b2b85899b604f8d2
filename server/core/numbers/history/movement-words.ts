import type { Locale } from '#contract/constants.ts'
import type { MovementItem } from '#contract/past/history.ts'

type Purpose = NonNullable<MovementItem['subject']>['purpose']
export const MOVEMENT_WORDS: Record<
  MovementItem['kind'] | Purpose | 'charged' | 'purchases',
  Record<Locale, string>
> = {
  hold: { ru: 'зарезервировано', en: 'put on hold' },
  purchases: { ru: 'покупки', en: 'purchases' },
  charged: { ru: 'списано за покупку', en: 'charged' },
  release: { ru: 'вернулось', en: 'released' },
  refund: { ru: 'возврат за покупку', en: 'purchase refunded' },
  credit: { ru: 'начисление', en: 'credit' },
  debit: { ru: 'списание', en: 'debit' },
  topup: { ru: 'пополнение', en: 'top-up' },
  fee: { ru: 'комиссия за пополнение', en: 'top-up fee' },
  fee_back: { ru: 'возврат комиссии', en: 'top-up fee refunded' },
  bonus: { ru: 'бонус за пополнение', en: 'top-up bonus' },
  voucher: { ru: 'ваучер', en: 'voucher' },
  payment_refund: { ru: 'возврат пополнения', en: 'top-up refunded' },
  payment_refund_failed: { ru: 'возврат пополнения не удался', en: 'refund failed' },
  dispute: { ru: 'платёж оспорен', en: 'payment disputed' },
  dispute_won: { ru: 'спор отклонён', en: 'dispute rejected' },
  bonus_back: { ru: 'бонус отозван', en: 'bonus taken back' },
  debt: { ru: 'запись в долг', en: 'debt' },
  repayment: { ru: 'погашение долга', en: 'debt repaid' },
  rounding: { ru: 'округление в вашу пользу', en: 'rounding in your favour' },
  referral_withdrawal: { ru: 'вознаграждение за приглашённых', en: 'referral earnings' },
  referral_recall: { ru: 'вознаграждение за приглашённых отозвано', en: 'referral earnings taken back' },
  loyalty: { ru: 'бонус за пополнения', en: 'loyalty bonus' },
  channel_reward: { ru: 'награда за подписку на канал', en: 'reward for joining the channel' },
  loyalty_back: { ru: 'бонус за пополнения отозван', en: 'loyalty bonus taken back' },
  sandbox_credit: { ru: 'тестовые деньги', en: 'play money' },
  forfeit: { ru: 'списание остатка при удалении аккаунта', en: 'balance given up' },
  activation: { ru: 'активация', en: 'activation' },
  rental: { ru: 'аренда', en: 'rental' },
  extension: { ru: 'продление аренды', en: 'rental extension' },
  preorder: { ru: 'предзаказ', en: 'pre-order' },
}
