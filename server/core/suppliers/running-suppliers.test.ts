import { expect, test } from 'vitest'
import { createFakeSupplier } from '#test/fakes/fake-supplier.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { RunningSuppliers } from './running-suppliers.ts'
import type { Supplier } from './supplier.ts'

/** Returns a supplier whose link only one object at a time can open, as a port allows. */
function linked(port: { holder: Supplier | null }): Supplier {
  const supplier: Supplier = {
    ...createFakeSupplier({ id: 1, code: 'carrier' }),
    async start({ receives = true } = {}) {
      if (!receives) return
      await Promise.resolve()
      if (port.holder !== null) throw new Error('EADDRINUSE')
      port.holder = supplier
    },
    async stop() {
      await Promise.resolve()
      if (port.holder === supplier) port.holder = null
    },
  }
  return supplier
}

const held = { isHeld: () => true, isShared: () => true }

test('two changes of a supplier at once leave one object with its link, and a stop leaves none', async () => {
  const port = { holder: null as Supplier | null }
  const suppliers = new RunningSuppliers(recordingLog(), held)
  await suppliers.add(linked(port))
  const changes = [linked(port), linked(port), linked(port)]
  await Promise.all([...changes.map((supplier, at) => suppliers.replace(supplier, at + 2)), suppliers.restart(1)])
  expect(port.holder).toBe(changes.at(-1))
  expect(suppliers.get(1)).toBe(changes.at(-1))
  await suppliers.stop()
  expect(port.holder).toBeNull()
})

test('a node that cannot open a link leaves it to other nodes and goes on selling', async () => {
  const port = { holder: createFakeSupplier({ id: 9, code: 'stranger' }) as Supplier | null }
  const suppliers = new RunningSuppliers(recordingLog(), held)
  const supplier = linked(port)
  await suppliers.add(supplier)
  expect(suppliers.get(1)).toBe(supplier)
  expect(suppliers.receives(1)).toBe(false)
  expect(suppliers.idsToReceive()).toEqual([])
  // The lease is still held until the next renewal, and is no reason to start the supplier anew.
  expect(suppliers.changedRoles()).toEqual([])
})

test('a node alone does not run a supplier whose link it cannot open', async () => {
  const port = { holder: createFakeSupplier({ id: 9, code: 'stranger' }) as Supplier | null }
  const suppliers = new RunningSuppliers(recordingLog(), { isHeld: () => true, isShared: () => false })
  await expect(suppliers.add(linked(port))).rejects.toThrow('EADDRINUSE')
  expect(suppliers.get(1)).toBeUndefined()
  port.holder = null
  await suppliers.add(linked(port))
  expect(suppliers.receives(1)).toBe(true)
})
