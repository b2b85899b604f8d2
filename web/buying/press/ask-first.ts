import { type Currency, formatMoney } from '#contract/money.ts'
import type { User } from '#contract/user.ts'
import type { AppContext } from '#web/house/app-context.ts'
import { laterTranslator } from '#web/text/later-translator.ts'

export type AskedPurchase = {
  kind: 'activation' | 'rent' | 'preorder'
  service: string
  country: string
  /** The price of a purchase, or the highest price that a pre-order may pay. */
  price: string
  maxPrice: string | null
  currency: Currency
}

/** Asks for a confirmation before money is spent, if the user's settings say so. Returns true to continue. */
export async function askFirst(app: AppContext, purchase: AskedPurchase): Promise<boolean> {
  const user = app.queryClient.getQueryData<User>(['user'])
  if (user?.settings.confirmation_actions !== true) return true
  const t = await laterTranslator(app, 'press')
  const { kind, service, country, maxPrice, currency } = purchase
  const { locale } = app.language.get()
  const price = formatMoney(purchase.price, currency, locale)
  const most = maxPrice === null ? '' : ` ${t('ask.most', { price: formatMoney(maxPrice, currency, locale) })}`
  const text = t(`ask.${kind}`, { service, country, price }) + most
  return app.dialogs.confirm({ text, action: t(`ask.${kind}Action`) })
}
