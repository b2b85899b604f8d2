import type { DirectoryItem } from '#contract/content.ts'

export type DirectoryKind = 'services' | 'countries'

export function pathOf(kind: DirectoryKind, { slug }: Pick<DirectoryItem, 'slug'>): string {
  return kind === 'services' ? `/service/${slug}` : `/country/${slug}`
}

export function buyPathOf(choice: { serviceId?: string | number; countryId?: string | number }): string {
  const query = new URLSearchParams()
  if (choice.serviceId !== undefined) query.set('service', String(choice.serviceId))
  if (choice.countryId !== undefined) query.set('country', String(choice.countryId))
  return `/?${query}`
}
