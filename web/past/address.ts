/** The maximum number of values in a list parameter. The server drops further values. */
export const MAX_CHOSEN = 30

/** Reads the ids in a query such as `?services=tg,wa&countries=2,6`, and skips values that cannot be ids. */
export function readIds(params: URLSearchParams): { services: string[]; countries: number[] } {
  const countries = split(params.get('countries')).filter((id) => /^\d{1,6}$/.test(id))
  return {
    services: split(params.get('services')).filter((id) => /^[\w-]{1,40}$/.test(id)),
    countries: countries.map(Number),
  }
}

/** Sets query parameters, and removes those with an empty value. Parameters that are not in `values` stay. */
export function withValues(params: URLSearchParams, values: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

function split(text: string | null): string[] {
  const ids = (text ?? '').split(',').filter((id) => id !== '')
  return [...new Set(ids)].slice(0, MAX_CHOSEN)
}
