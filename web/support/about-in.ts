import type { AboutInput } from '#contract/support/support.ts'
import { ABOUT_KINDS } from '#contract/support/support-constants.ts'

/** Reads the purchase or payment that `?activation=ID`, `?rental=ID` or `?payment=ID` of a page names. */
export function aboutIn(params: URLSearchParams): AboutInput | null {
  for (const kind of ABOUT_KINDS) {
    const id = params.get(kind)
    if (id !== null && id !== '') return { kind, id: id.slice(0, 60) }
  }
  return null
}
