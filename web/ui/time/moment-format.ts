const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const DAY_OF_YEAR = { day: 'numeric', month: 'short' } as const

const LOOKS = {
  time: TIME,
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
  moment: { ...DAY_OF_YEAR, ...TIME },
  momentWithYear: { ...DAY_OF_YEAR, year: 'numeric', ...TIME },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type Told = {
  look: keyof typeof LOOKS
  locale: string
  timeZone: string | undefined
  withSeconds?: boolean
}

export function formatMoment(at: string | number, told: Told): string {
  return formatOf(told).format(typeof at === 'string' ? Date.parse(at) : at)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a cached formatter, because constructing a formatter costs more than a hundred uses. */
function formatOf({ look, locale, timeZone, withSeconds = false }: Told): Intl.DateTimeFormat {
  const key = `${look} ${locale} ${timeZone} ${withSeconds}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, {
    ...LOOKS[look],
    ...(withSeconds && { second: '2-digit' }),
    timeZone,
  })
  formats.set(key, made)
  return made
}
