import { z } from 'zod'

/** The parts of the service that /status shows, in its order. */
export const STATUS_COMPONENTS = [
  ...(['codes', 'messages', 'links', 'orders'] as const),
  ...(['site', 'api', 'mails', 'payments'] as const),
] as const
export type StatusComponent = (typeof STATUS_COMPONENTS)[number]

/** The states from good to bad. `unknown` means that too little happened to tell. */
export const STATUS_STATES = ['unknown', 'working', 'slow', 'partly', 'down'] as const
export type StatusState = (typeof STATUS_STATES)[number]

/** The number of days that /status shows, today included. */
export const STATUS_DAYS = 90

/** `share` and `usual` are 0 to 1. `sample` is rounded down to a step, because exact sales are nobody's business. */
const sharesSchema = {
  state: z.enum(STATUS_STATES),
  share: z.number().nullable(),
  usual: z.number().nullable(),
  sample: z.number().int().nullable(),
}

export const statusReplySchema = z.object({
  status: z.literal(true),
  /** The time of the figures; null before the first measurement. */
  measured_at: z.iso.datetime().nullable(),
  /** True if the figures are old, because the database does not answer or nothing is measured. */
  old: z.boolean(),
  state: z.enum(STATUS_STATES),
  components: z.array(
    z.object({
      id: z.enum(STATUS_COMPONENTS),
      state: z.enum(STATUS_STATES),
      /** A share for `codes` and `links`, seconds for the others. */
      value: z.number().nullable(),
      usual: z.number().nullable(),
      sample: z.number().int().nullable(),
      /** The share of measured minutes in 90 days in which the part worked, at whatever speed. */
      available: z.number().nullable(),
      /** The minutes of each measured day (UTC) by state. */
      days: z.array(
        z.object({
          day: z.iso.date(),
          working: z.number().int(),
          slow: z.number().int(),
          partly: z.number().int(),
          down: z.number().int(),
        }),
      ),
    }),
  ),
  services: z.array(z.object({ id: z.string(), name: z.string(), ...sharesSchema })),
  countries: z.array(z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), ...sharesSchema })),
  /** How many of the links to suppliers of a country's numbers work. */
  links: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      iso2: z.string(),
      up: z.number().int(),
      total: z.number().int(),
    }),
  ),
  /** Incidents under way first, then the newest. The first note of each is the oldest. */
  incidents: z.array(
    z.object({
      id: z.number().int(),
      components: z.array(z.enum(STATUS_COMPONENTS)),
      opened_at: z.iso.datetime(),
      closed_at: z.iso.datetime().nullable(),
      notes: z.array(z.object({ at: z.iso.datetime(), text: z.string() })),
    }),
  ),
})
export type StatusReply = z.infer<typeof statusReplySchema>
