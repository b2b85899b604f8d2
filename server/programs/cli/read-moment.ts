import { WrongUsage } from './command.ts'

/** Parses a time. A date alone means the beginning of that day in UTC. */
export function readMoment(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(text) ? new Date(text) : null
  if (at === null || Number.isNaN(at.getTime())) {
    throw new WrongUsage(`--${name} is such as 2026-12-01 or 2026-12-01T09:00:00Z`)
  }
  return at
}
