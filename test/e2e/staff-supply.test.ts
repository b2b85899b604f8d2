import { expect, test } from 'vitest'
import { complaintsBut } from './support/accounts.ts'
import { demoOfFile } from './support/demo-server.ts'
import { staffDesk } from './support/staff-desk.ts'

const server = demoOfFile()
const { openDesk, judge } = staffDesk(server)
const WHY = ['--reason', 'they say it works', '--by', 'anna']
const SMPP = {
  mode: 'client',
  currency: 'rub',
  services: [{ code: 'tg', cost: '9.50' }],
  systemId: 'r',
  password: 'hush',
  hosts: [{ host: '127.0.0.1', port: 1 }],
}
/** The time limit for a change on the page, which polls every ten seconds. */
const PATIENCE = { timeout: 25_000 }

test('an operator sees how suppliers stand, pauses one with a reason and mutes an alarm; what others change comes by itself', async () => {
  await server.cli('supplier:add', 'smpp', '--code', 'range', '--settings', JSON.stringify(SMPP), ...WHY)
  await using visit = await openDesk('operator', '/staff/tickets')
  const { page } = visit
  await page.getByRole('link', { name: 'Suppliers', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Suppliers' }).waitFor()
  await page.getByText('Working', { exact: true }).first().waitFor()
  await page.getByText(/^Link down since/).waitFor(PATIENCE)
  expect(await page.getByRole('main').getByRole('listitem').first().innerText()).toMatch(/^range/)
  await judge(visit, '/staff/suppliers', 'suppliers')
  await page.goto(`${server.url}/staff/suppliers`)
  await page.getByRole('link', { name: 'simulator' }).click()
  await page.getByRole('heading', { level: 1, name: 'simulator' }).waitFor()

  await page.getByRole('button', { name: 'Pause sales' }).press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('Enter a reason').waitFor()
  await page.keyboard.type('no codes since noon')
  await page.keyboard.press('Enter')
  await page.getByText(/^Paused since/).waitFor()
  const events = page.getByRole('region', { name: 'Events' })
  await events.getByText('no codes since noon').waitFor()
  expect(await server.cli('supplier:list')).toMatch(/^simulator .*paused since/m)

  await page.getByLabel('Duration').selectOption('1 day')
  await page.getByRole('button', { name: 'Mute “Low stock”' }).press('Enter')
  await page.getByRole('button', { name: 'Unmute “Low stock”' }).waitFor()
  expect(await server.cli('alarm:list')).toContain('stock-low simulator: muted until')
  await judge(visit, '/staff/suppliers/simulator', 'supplier')
  await page.goto(`${server.url}/staff/suppliers/simulator`)
  await page.getByRole('button', { name: 'Unmute “Low stock”' }).click()
  await page.getByRole('button', { name: 'Mute “Low stock”' }).waitFor()

  await server.cli('supplier:resume', 'simulator', ...WHY)
  await events.getByText('they say it works').waitFor(PATIENCE)
  await page.getByText('Working', { exact: true }).waitFor()
  expect(complaintsBut(visit, 422)).toEqual([])
}, 180_000)

test('for support there is neither the page of supply nor a link to it', async () => {
  await using visit = await openDesk('support', '/staff/tickets')
  const { page } = visit
  await page.getByRole('link', { name: 'Saved replies' }).waitFor()
  expect(await page.getByRole('link', { name: 'Suppliers', exact: true }).count()).toBe(0)
  for (const path of ['/staff/suppliers', '/staff/suppliers/simulator']) {
    expect((await page.goto(server.url + path))?.status()).toBe(404)
    await page.getByText('This page doesn’t exist').waitFor()
  }
}, 120_000)
