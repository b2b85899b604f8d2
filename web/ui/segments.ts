export const SEGMENTS = 'rounded border border-hairline bg-sunken p-0.5'

export function segmentLook(isChosen: boolean): string {
  return `${SHAPE} ${isChosen ? 'bg-surface font-semibold text-ink ring ring-hairline' : 'font-medium text-muted hover:text-ink'}`
}

const SHAPE =
  'inline-flex min-h-10 flex-auto items-center justify-center gap-1.5 rounded-[8px] px-3.5 whitespace-nowrap'
