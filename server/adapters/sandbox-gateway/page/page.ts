import type { Locale } from '#contract/constants.ts'
import { formatMoney, toDecimal } from '#contract/money.ts'
import { CONFIRMATIONS_NEEDED, type Deed, type SandboxPayment } from '#server/adapters/sandbox-gateway/queries.ts'
import { type Markup, markup } from '#server/house/http/plain-page/markup.ts'
import { pageFrame } from '#server/house/http/plain-page/page-frame.ts'

type Words = {
  title: string
  lead: string
  leadOfTransfer: string
  confirmed: (seen: number) => string
  back: string
  ended: string
  deeds: Record<Deed, readonly [string, string]>
}

const WORDS: Record<Locale, Words> = {
  en: {
    title: 'Sandbox payment',
    lead: 'This page replaces a bank. No real money moves: you choose what happens to the payment.',
    leadOfTransfer:
      'This page replaces your wallet and the blockchain. No real money moves: you choose what happens to the payment.',
    confirmed: (seen) => `${seen} of ${CONFIRMATIONS_NEEDED} confirmations`,
    back: 'Back to the top-up',
    ended: 'This payment is complete. There’s nothing left to choose.',
    deeds: {
      exact: ['Pay exactly', 'The full amount arrives'],
      less: ['Pay less', '60 % of the amount arrives'],
      more: ['Pay more', '150 % of the amount arrives'],
      twice: ['Pay twice', 'The same amount arrives twice'],
      expire: ['Let it expire', 'The payment isn’t made in time, but can still be paid late'],
      late: ['Pay late', 'The amount arrives after the payment has expired'],
      fail: ['Fail', 'The bank declines the card'],
      dispute: ['Dispute', 'The bank takes the money back until the dispute ends'],
      win: ['Win the dispute', 'The bank returns the money'],
      lose: ['Lose the dispute', 'The money stays with the payer'],
      confirm: ['Send and confirm', 'Each press adds four of the twelve confirmations'],
    },
  },
  ru: {
    title: 'Тестовый платёж',
    lead: 'Эта страница заменяет банк. Деньги ненастоящие: выберите, что произойдёт с платежом.',
    leadOfTransfer: 'Эта страница заменяет кошелёк и сеть. Деньги ненастоящие: выберите, что произойдёт с платежом.',
    confirmed: (seen) => `Подтверждений: ${seen} из ${CONFIRMATIONS_NEEDED}`,
    back: 'Вернуться к пополнению',
    ended: 'Платёж завершён.',
    deeds: {
      exact: ['Заплатить ровно', 'Придёт вся сумма'],
      less: ['Заплатить меньше', 'Придёт 60 %'],
      more: ['Заплатить больше', 'Придёт в полтора раза больше'],
      twice: ['Заплатить дважды', 'Одна и та же сумма придёт два раза'],
      expire: ['Не платить вовремя', 'Срок выйдет, потом можно заплатить с опозданием'],
      late: ['Заплатить с опозданием', 'Сумма придёт после срока'],
      fail: ['Отказ', 'Банк не принимает карту'],
      dispute: ['Оспорить', 'Пока идёт спор, деньги будут у банка'],
      win: ['Выиграть спор', 'Деньги вернутся на баланс'],
      lose: ['Проиграть спор', 'Деньги останутся у плательщика'],
      confirm: ['Отправить и подтвердить', 'Каждое нажатие добавляет четыре подтверждения из двенадцати'],
    },
  },
}

export function sandboxPage(locale: Locale, payment: SandboxPayment): string {
  const words = WORDS[locale]
  const amount = formatMoney(toDecimal(payment.amount_micros), payment.currency, locale)
  const deeds = deedsFor(payment)
  const buttons = deeds.map((deed, place) => button(deed, words.deeds[deed], place === 0))
  return pageFrame(
    locale,
    words.title,
    markup`<header><h1>${words.title}</h1><a class="action" href="${payment.return_url}">${words.back}</a></header>
    <p class="lead">${payment.confirmations === null ? words.lead : words.leadOfTransfer}</p><p class="big">${amount}</p>
    ${payment.state === 'confirming' ? markup`<p class="none">${words.confirmed(payment.confirmations ?? 0)}</p>` : markup``}
    ${deeds.length === 0 ? markup`<p class="none">${words.ended}</p>` : markup`<form method="post">${buttons}</form>`}`,
  )
}

function button(deed: Deed, [name, what]: readonly [string, string], isFirst: boolean): Markup {
  return markup`<button name="deed" value="${deed}" class="${isFirst ? 'first' : ''}">${name}<span>${what}</span></button>`
}

/** Returns the buttons that the page shows. Each button has the same condition as its SQL effect in queries.ts. */
function deedsFor({ state, deposits, reversals, confirmations }: SandboxPayment): Deed[] {
  if (reversals.some((one) => one.kind === 'dispute' && one.state === 'open')) return ['win', 'lose']
  // A payment on a chain cannot be disputed, because no bank can take the money back.
  if (deposits.length > 0) return reversals.length === 0 && confirmations === null ? ['dispute'] : []
  if (state === 'expired') return ['late']
  if (state === 'confirming') return ['confirm']
  if (state === 'pending' && confirmations !== null) return ['confirm', 'exact', 'less', 'more', 'twice', 'expire']
  return state === 'pending' ? ['exact', 'less', 'more', 'twice', 'expire', 'fail'] : []
}
