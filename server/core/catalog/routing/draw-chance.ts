import type { Random } from '#server/house/clock.ts'

const STEPS = 2 ** 40

/** Draws a random success probability from Beta(codes, failures). Both counts must be above zero. */
export function drawChance(
  random: Pick<Random, 'below'>,
  { codes, failures }: { codes: number; failures: number },
): number {
  const hit = drawGamma(random, codes)
  return hit / (hit + drawGamma(random, failures))
}

/** Draws from a gamma distribution by the method of Marsaglia and Tsang (2000). */
function drawGamma(random: Pick<Random, 'below'>, shape: number): number {
  if (shape < 1) return drawGamma(random, shape + 1) * drawUnit(random) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const normal = drawNormal(random)
    const cube = (1 + c * normal) ** 3
    if (cube <= 0) continue
    if (Math.log(drawUnit(random)) < 0.5 * normal * normal + d - d * cube + d * Math.log(cube)) return d * cube
  }
}

/** Draws from a normal distribution by the Box-Muller method. */
function drawNormal(random: Pick<Random, 'below'>): number {
  return Math.sqrt(-2 * Math.log(drawUnit(random))) * Math.cos(2 * Math.PI * drawUnit(random))
}

function drawUnit(random: Pick<Random, 'below'>): number {
  return (random.below(STEPS) + 0.5) / STEPS
}
