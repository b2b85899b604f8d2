/** How many steps, days or hours, a smoothed line of the statistics looks back over, its own step included. */
export const MEAN_STEPS = 7

/** Returns for each step what `read` makes of the MEAN_STEPS steps that end with it. `lead` are those before the first. */
export function overLastSteps<Step>(
  steps: readonly Step[],
  lead: readonly Step[],
  read: (last: readonly Step[], step: Step) => number | null,
): (number | null)[] {
  const before = lead.slice(1 - MEAN_STEPS)
  const all = [...before, ...steps]
  return steps.map((step, place) => {
    const end = before.length + place + 1
    return read(all.slice(Math.max(0, end - MEAN_STEPS), end), step)
  })
}
