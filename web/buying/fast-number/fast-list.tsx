import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { rowsIn } from './move-by-keys.ts'
import { OfferGroup } from './offer-group.tsx'
import { useFastOffers } from './use-fast-offers.ts'
import { useFastPurchase } from './use-fast-purchase.ts'

const SKELETONS = ['first', 'second', 'third', 'fourth']

export function FastList({ onDone }: { onDone: () => void }) {
  const t = useTranslations('fastNumber')
  const query = useFastOffers()
  const purchase = useFastPurchase(onDone)
  const list = useRef<HTMLDivElement>(null)
  const loaded = query.data !== undefined
  useEffect(() => {
    if (loaded && !list.current?.contains(document.activeElement)) rowsIn(list.current)[0]?.focus()
  }, [loaded])

  if (query.data === undefined) {
    if (!query.isError) return SKELETONS.map((key) => <Skeleton key={key} className="mb-1.5 h-14 w-full" />)
    return (
      <EmptyState kind="error" title={t('failed')}>
        <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
      </EmptyState>
    )
  }
  const { latest, favorites } = query.data
  if (latest.length + favorites.length === 0)
    return <EmptyState drawing="strip" title={t('emptyTitle')} text={t('emptyText')} />
  return (
    <div ref={list}>
      <OfferGroup title={t('latest')} offers={latest} purchase={purchase} onDone={onDone} />
      <OfferGroup title={t('favorites')} offers={favorites} purchase={purchase} onDone={onDone} />
      <p className="mt-3 hidden text-[13px] text-muted lg:block">{t('keys')}</p>
    </div>
  )
}
