import { sellOwnNumbers } from '#server/adapters/shared/own-numbers/own-numbers.ts'
import { startRotation } from '#server/adapters/shared/own-numbers/sims/rotate-sims.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import type { Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import { toldLinkOf } from '#server/core/suppliers/told-links.ts'
import type { Context } from '#server/house/context.ts'
import { startClientLink } from './client-link.ts'
import type { Inbox } from './inbox.ts'
import type { Link, LinkOptions } from './link.ts'
import { testLink } from './link-findings.ts'
import { watchLink } from './link-watch.ts'
import { createLostAnswers } from './lost-answers.ts'
import { startServerLink } from './server-link.ts'
import { parseSmppSettings, type SmppSettings } from './settings.ts'
import { startSweeping } from './sweep-messages.ts'

export type SmppSupplier = Supplier & { readonly port: number | null }

/** Receives messages by SMPP 3.4 (docs/api/smpp.md). Throws an error that names each wrong setting. */
export function createSmppSupplier(ctx: Context, row: SupplierRow, receive = receiveSms): SmppSupplier {
  const settings = parseSmppSettings(row.code, row.settings)
  const { id: supplierId, code } = row
  const { defaultAlphabet, partsWaitSeconds } = settings
  const lostAnswers = createLostAnswers(ctx.clock)
  const inbox: Inbox = { ctx, receiveSms: receive, supplierId, defaultAlphabet, partsWaitSeconds, lostAnswers }
  const watch = watchLink(ctx, supplierId)
  let link: { stop(): Promise<void>; port: number | null } | null = null
  let isElsewhere = false
  return {
    id: supplierId,
    code,
    get port() {
      return link?.port ?? null
    },
    async start({ receives = true } = {}) {
      isElsewhere = !receives
      if (receives) link ??= await startReceiving({ inbox, watch, code }, settings)
    },
    async stop() {
      const stopping = link
      link = null
      watch.silence()
      await stopping?.stop()
    },
    link: () => (isElsewhere ? toldLinkOf(ctx, supplierId) : watch.state()),
    test: () => testLink(inbox, settings),
    ...sellOwnNumbers(ctx, supplierId, settings),
  }
}

type Receiving = Omit<LinkOptions<SmppSettings>, 'settings'>

async function startReceiving(options: Receiving, settings: SmppSettings) {
  const link = await startLink(options, settings)
  const { ctx, supplierId } = options.inbox
  const sweeping = startSweeping(options.inbox)
  const turning = startRotation(ctx, { supplierId, rules: settings.sims })
  return {
    port: link.port,
    // The link stops first. Messages still undelivered when it stops are delivered after the next start.
    stop: async () => {
      await link.stop()
      await sweeping.stop()
      await turning.stop()
    },
  }
}

async function startLink(options: Receiving, settings: SmppSettings): Promise<Link & { port: number | null }> {
  switch (settings.mode) {
    case 'client':
      return { ...startClientLink({ ...options, settings }), port: null }
    case 'server':
      return startServerLink({ ...options, settings })
    default:
      return settings satisfies never
  }
}
