import type { DirectoryItem } from '#contract/content.ts'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'

export function ItemIcon({ item }: { item: Pick<DirectoryItem, 'id' | 'name' | 'iso2'> }) {
  return item.iso2 === null ? <Mark service={{ id: String(item.id), name: item.name }} /> : <Flag iso2={item.iso2} />
}
