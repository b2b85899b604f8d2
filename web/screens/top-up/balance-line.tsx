import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'
import type { User } from '#contract/user.ts'
import { useUser } from '#web/app-context.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const COUNT_UP_MS = 700

export function BalanceLine() {
  const user = useUser()
  return (
    <p className="text-right leading-tight">
      {user === null ? <Skeleton className="h-7 w-32" /> : <Balances user={user} />}
    </p>
  )
}

function Balances({ user }: { user: User }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const shown = useCountedUp(user.balance)
  const money = (amount: string) => formatMoney(amount, user.currency, locale)
  return (
    <>
      <span className="block text-sm text-muted">{t('balance')}</span>
      {/* The final amount is read out, not each step of the way. */}
      <span aria-hidden className="tabular block text-2xl font-semibold">
        {money(shown)}
      </span>
      <span className="sr-only">{money(user.balance)}</span>
      {Number(user.held) === 0 ? null : (
        <span className="block text-sm text-muted">{t('held', { amount: money(user.held) })}</span>
      )}
      {Number(user.debt) === 0 ? null : (
        <span className="block text-sm text-error">{t('debt', { amount: money(user.debt) })}</span>
      )}
    </>
  )
}

/** Counts from the earlier balance to a higher one; a lower one is shown at once. */
function useCountedUp(balance: string): string {
  const [shown, setShown] = useState(balance)
  const reached = useRef(balance)
  useEffect(() => {
    const [from, to] = [parseDecimal(reached.current) ?? 0n, parseDecimal(balance) ?? 0n]
    const show = (amount: string) => {
      reached.current = amount
      setShown(amount)
    }
    if (to <= from || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      show(balance)
      return
    }
    const began = performance.now()
    let frame = requestAnimationFrame(step)
    function step(now: number): void {
      // A frame has the time at which it began, which may be before the effect ran.
      const share = Math.min(1, Math.max(0, now - began) / COUNT_UP_MS)
      show(share === 1 ? balance : wholeCents(from + ((to - from) * BigInt(Math.round(share * 1000))) / 1000n))
      if (share < 1) frame = requestAnimationFrame(step)
    }
    return () => cancelAnimationFrame(frame)
  }, [balance])
  return shown
}

function wholeCents(micros: bigint): string {
  return toDecimal((micros / 10_000n) * 10_000n)
}
