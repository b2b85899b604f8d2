import { openRouteNamed } from '#web/navigation/routes.ts'

/** The route names of the sections for each kind of visitor, in the specification's order. */
const SIGNED_IN = ['index', 'activations', 'rent', 'price', 'blog', 'faq'] as const
const ANONYMOUS = ['index', 'loyalty', 'price', 'blog', 'faq'] as const

export type Section = (typeof SIGNED_IN)[number] | (typeof ANONYMOUS)[number]
export type NavigationItem = { section: Section; path: string }

export function navigationFor(visitor: { signedIn: boolean; closedPages: readonly string[] }): NavigationItem[] {
  const sections: readonly Section[] = visitor.signedIn ? SIGNED_IN : ANONYMOUS
  return sections
    .map((section) => ({ section, path: openRouteNamed(section, visitor.closedPages)?.path }))
    .filter((item): item is NavigationItem => item.path !== undefined)
}
