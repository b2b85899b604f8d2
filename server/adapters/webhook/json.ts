export function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the text or number at `path`, such as `data.payload.to.0.phone_number`, or null if there is none. */
export function textIn(value: unknown, path: string): string | null {
  let found: unknown = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return null
    // The cast is safe, because only an object can have the member.
    found = (found as Record<string, unknown>)[name]
  }
  if (typeof found === 'number' && Number.isFinite(found)) return String(found)
  return typeof found === 'string' ? found : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
