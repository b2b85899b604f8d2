import type { DirectoryItem } from '#contract/content.ts'
import type { Currency } from '#contract/money.ts'
import { Link } from '#web/navigation/link.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { type DirectoryKind, pathOf } from './directory-paths.ts'
import { ItemIcon } from './item-icon.tsx'

export function ItemLinks(props: { kind: DirectoryKind; items: readonly DirectoryItem[]; currency: Currency }) {
  const { kind, items, currency } = props
  return (
    <ul className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
      {items.map((item) => (
        <li key={item.id} className="border-b border-hairline">
          <Link to={pathOf(kind, item)} className="flex min-h-11 items-center gap-2.5 py-1.5 hover:text-signal">
            <ItemIcon item={item} />
            <span className="min-w-0 grow truncate">{item.name}</span>
            {item.price === null ? null : (
              <Price amount={item.price} currency={currency} className="text-sm text-muted" />
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
