import type { Page } from 'playwright-core'

/** Returns whether a plot has pixels of this colour. A canvas draws unknown colours in black. */
export function hasPixels(page: Page, [red, green, blue]: [number, number, number]): Promise<boolean> {
  return page.evaluate(
    ([r, g, b]) =>
      [...document.querySelectorAll<HTMLCanvasElement>('figure canvas')].some((canvas) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
        return Array.from({ length: data.length / 4 }, (_, at) => at * 4).some(
          (at) => data[at] === r && data[at + 1] === g && data[at + 2] === b && data[at + 3] === 255,
        )
      }),
    [red, green, blue],
  )
}

/** Switches to the dark theme with reduced motion, so that style changes take 1 ms. */
export async function switchToDark(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('banner').getByRole('button', { name: 'Dark theme' }).click()
}
