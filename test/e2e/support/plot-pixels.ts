import type { Page } from 'playwright-core'

/** Whether a plot is drawn in a colour: what a canvas cannot parse as a colour it draws in black. */
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

/** Presses the theme's button as somebody who wants less motion: every change of style is a transition of 1 ms then. */
export async function switchToDark(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('banner').getByRole('button', { name: 'Dark theme' }).click()
}
