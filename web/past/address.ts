/** As many as the address can hold: the server drops longer values from it. */
export const MAX_CHOSEN = 30

/** `?services=tg,wa&countries=2,6`; what cannot be an id is left out. */
export function readIds(params: URLSearchParams): { services: string[]; countries: number[] } {
  const countries = split(params.get('countries')).filter((id) => /^\d{1,6}$/.test(id))
  return {
    services: split(params.get('services')).filter((id) => /^[\w-]{1,40}$/.test(id)),
    countries: countries.map(Number),
  }
}

/** The query with these values in it; empty ones are left out, other parameters stay as they are. */
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
