const LOOKS = {
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  momentWithYear: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type Told = { look: keyof typeof LOOKS; locale: string; timeZone: string | undefined }

export function formatMoment(at: string | number, { look, locale, timeZone }: Told): string {
  return formatOf(look, locale, timeZone).format(typeof at === 'string' ? Date.parse(at) : at)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Construction costs more than a hundred uses. */
function formatOf(look: Told['look'], locale: string, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${look} ${locale} ${timeZone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, { ...LOOKS[look], timeZone })
  formats.set(key, made)
  return made
}
