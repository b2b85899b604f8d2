import { useTranslations } from 'use-intl'
import type { ContentSearchReply } from '#contract/content.ts'
import { useCurrency } from '#web/ui/initial/price.tsx'
import { ItemLinks } from './item-links.tsx'

const KINDS = ['services', 'countries'] as const

export function FoundNames({ named }: { named: ContentSearchReply['named'] }) {
  const t = useTranslations('directory')
  const currency = useCurrency()
  return KINDS.filter((kind) => named[kind].length > 0).map((kind) => (
    <section key={kind} className="mb-8">
      <h2 className="mb-2 text-xl font-semibold tracking-tight">{t(kind)}</h2>
      <ItemLinks kind={kind} items={named[kind]} currency={currency} />
    </section>
  ))
}
