import { expect, test } from 'vitest'
import { createPreferenceQueue } from './preference-queue.ts'

type Switches = { copying_code: boolean; confirmation_actions: boolean; sound_new_sms: boolean }

function newHouse() {
  const before: Switches = { copying_code: true, confirmation_actions: false, sound_new_sms: true }
  const page = { ...before }
  const server = { ...before }
  const failures: unknown[] = []
  const saves: { name: keyof Switches; value: boolean; answer: (error?: Error) => void }[] = []
  const queue = createPreferenceQueue<Switches>({
    read: (name) => page[name],
    show: (name, value) => {
      page[name] = value
    },
    save: (name, value) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error) => {
          if (error !== undefined) return reject(error)
          server[name] = value
          resolve()
        }
        saves.push({ name, value, answer })
      }),
    fail: (error) => failures.push(error),
  })
  const nextSave = async () => {
    await expect.poll(() => saves.length).toBeGreaterThan(0)
    const save = saves.shift()
    if (save === undefined) throw new Error('nothing is being saved')
    return save
  }
  return { page, server, failures, saves, queue, nextSave }
}

test('a wish is shown at once and saved', async () => {
  const { page, server, queue, nextSave } = newHouse()
  const saved = queue.wish('confirmation_actions', true)
  expect(page.confirmation_actions).toBe(true)
  ;(await nextSave()).answer()
  await saved
  expect(server.confirmation_actions).toBe(true)
  expect(queue.isBusy()).toBe(false)
})

test('what could not be saved goes back, and is told once', async () => {
  const { page, failures, queue, nextSave } = newHouse()
  const refused = new Error('no')
  const saved = queue.wish('sound_new_sms', false)
  ;(await nextSave()).answer(refused)
  await saved
  expect(page.sound_new_sms).toBe(true)
  expect(failures).toEqual([refused])
})

test('wishes are saved one after another: the last press is what stays', async () => {
  const { page, server, saves, queue, nextSave } = newHouse()
  const earlier = queue.wish('copying_code', false)
  const saved = queue.wish('copying_code', true)
  const first = await nextSave()
  expect([first.value, saves.length]).toEqual([false, 0])
  first.answer()
  ;(await nextSave()).answer()
  await Promise.all([earlier, saved])
  expect([page.copying_code, server.copying_code]).toEqual([true, true])
})

test('when several presses fail, the page ends with what the server has', async () => {
  const { page, server, queue, nextSave } = newHouse()
  const earlier = queue.wish('copying_code', false)
  const saved = queue.wish('copying_code', true)
  const more = queue.wish('copying_code', false)
  ;(await nextSave()).answer(new Error('no'))
  ;(await nextSave()).answer(new Error('no'))
  await Promise.all([earlier, saved])
  expect(page.copying_code).toBe(false)
  ;(await nextSave()).answer(new Error('no'))
  await more
  expect([page.copying_code, server.copying_code]).toEqual([true, true])
})

test('the first was saved and the second was not: the page shows the first', async () => {
  const { page, server, queue, nextSave } = newHouse()
  const earlier = queue.wish('copying_code', false)
  const saved = queue.wish('copying_code', true)
  ;(await nextSave()).answer()
  ;(await nextSave()).answer(new Error('no'))
  await Promise.all([earlier, saved])
  expect([page.copying_code, server.copying_code]).toEqual([false, false])
})
