import { demoBuyer } from '#server/programs/demo/fill-demo.ts'
import { screenAddresses } from '#test/e2e/support/site-addresses.ts'
import { type Driver, waitFor } from './driver.ts'

type Journey = { name: string; walk(driver: Driver, url: string): Promise<void> }

const WIDTHS = [1440, 390, 320]
const THEMES = [
  ['Dark theme', 'dark'],
  ['Light theme', 'light'],
] as const
const LANGUAGES = [
  ['Language', 'Русский', 'ru'],
  ['Язык', 'English', 'en'],
] as const
const ENABLED = "[not(@aria-disabled='true')]"
const button = (name: string) => `//button[normalize-space(.)='${name}' or @aria-label='${name}']${ENABLED}`
const BUY = `//button[@data-panel-buy][starts-with(normalize-space(.), 'Buy for')]${ENABLED}`
const ticket = (operator: string) => `//article[contains(., 'Telegram')][contains(., '${operator}')]`

/** Buyers do this every day, in the order of a first visit. A later journey needs the sign-in of the first. */
export const JOURNEYS: readonly Journey[] = [
  { name: 'signs in', walk: signIn },
  { name: 'buys a number and sees its code', walk: buy },
  { name: 'cancels a number', walk: cancel },
  { name: 'changes the theme and the language', walk: choose },
  { name: 'filters the board of prices', walk: filterPrices },
  { name: 'opens every screen at three widths', walk: openAll },
]

/** Opens a page and waits until its scripts answer presses. */
async function visit(driver: Driver, url: string): Promise<void> {
  await driver.open(url)
  await waitFor(`the scripts of ${url}`, () =>
    driver.run<boolean | null>(
      `return Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')) || null`,
    ),
  )
}

async function signIn(driver: Driver, url: string): Promise<void> {
  await driver.resize(1440, 900)
  await visit(driver, url)
  await driver.run(`document.cookie = 'locale=en; path=/'`)
  await visit(driver, url)
  await driver.press(`//header${button('Log in')}`)
  await driver.type("//input[@type='email']", demoBuyer.email)
  await driver.type("//input[@type='password']", demoBuyer.password)
  await driver.press("//*[@role='dialog']//button[@type='submit']")
  await driver.textOf("//header//a[contains(@href, '/top-up')]")
}

async function buy(driver: Driver, url: string): Promise<void> {
  await visit(driver, `${url}/?service=tg&country=2&operator=swift`)
  await driver.press(BUY)
  const code = `${ticket('swift')}//*[contains(@class, 'ticket-code')]`
  await waitFor('a code', async () => (/^\d[\d\s-]{3,8}$/.test(await driver.textOf(code)) ? true : null))
}

async function cancel(driver: Driver, url: string): Promise<void> {
  await visit(driver, `${url}/?service=tg&country=2&operator=silent`)
  await driver.press(BUY)
  await driver.press(ticket('silent') + button('Cancel'))
  await driver.textOf("//article[contains(., 'Refunded')]")
}

async function choose(driver: Driver, url: string): Promise<void> {
  await visit(driver, `${url}/history`)
  for (const [name, shown] of THEMES) {
    await driver.press(`//header//button/span[@title='${name}']`)
    await waitFor(`the theme ${shown}`, () =>
      driver.run<boolean | null>(`return document.documentElement.className.includes('${shown}') || null`),
    )
  }
  for (const [menu, name, shown] of LANGUAGES) {
    await driver.press(`//header//button[starts-with(@aria-label, '${menu}')]`)
    await driver.press(button(name))
    await waitFor(`the language ${shown}`, () =>
      driver.run<boolean | null>(`return document.documentElement.lang === '${shown}' || null`),
    )
  }
}

async function filterPrices(driver: Driver, url: string): Promise<void> {
  await visit(driver, `${url}/price`)
  await driver.type("//main//input[@type='search'][@name='service']", 'whatsapp')
  await waitFor('WhatsApp alone', async () => {
    const rows = await driver.run<string[]>(
      `return [...document.querySelectorAll('main ul[aria-label="Services"] a')].map((row) => row.innerText)`,
    )
    return rows.length > 0 && rows.every((row) => row.trim().startsWith('WhatsApp')) ? true : null
  })
}

async function openAll(driver: Driver, url: string): Promise<void> {
  const wide: string[] = []
  const paths = [...screenAddresses('public'), ...screenAddresses('signed-in').filter((path) => !path.endsWith('/0'))]
  for (const path of paths) {
    await visit(driver, url + path)
    for (const width of WIDTHS) {
      await driver.resize(width, 844)
      const [shown, room] = await waitFor(`a window of ${width}`, () =>
        driver.run<[number, number] | null>(
          `const { scrollWidth, clientWidth } = document.documentElement
          return innerWidth === ${width} ? [scrollWidth, clientWidth] : null`,
        ),
      )
      if (shown > room) wide.push(`${path} is ${shown} px wide in a window of ${room}`)
    }
  }
  if (wide.length > 0) throw new Error(wide.join('\n'))
}
