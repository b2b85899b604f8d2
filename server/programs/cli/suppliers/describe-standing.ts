import { plain } from '#server/programs/cli/listing.ts'

export type DescribedStanding = {
  paused_at: Date | null
  link_up: boolean | null
  link_changed_at: Date | null
  link_why: string | null
  state: 'sound' | 'aside'
  reason: string | null
  since: Date | null
  try_at: Date | null
}

export function describeStanding(supplier: DescribedStanding): string {
  const { paused_at: pausedAt, link_up: isUp, link_changed_at: changedAt, link_why: why } = supplier
  const sells = pausedAt === null ? describeHealth(supplier) : `paused since ${pausedAt.toISOString()}`
  const reason = why === null ? '' : ` (${plain(why)})`
  if (isUp === null || changedAt === null) return reason === '' ? sells : `${sells}, DOWN, sells nothing${reason}`
  return `${sells}, link ${isUp ? 'up' : 'DOWN, sells nothing,'} since ${changedAt.toISOString()}${reason}`
}

function describeHealth({ state, reason, since, try_at: tryAt }: DescribedStanding): string {
  if (state === 'sound' || since === null || tryAt === null) return 'at work'
  return `SET ASIDE since ${since.toISOString()} (${plain(reason ?? '')}), tried from ${tryAt.toISOString()}`
}
