import { HOUSE_RULES } from './house-rules.ts'
import { MONEY_RULES } from './money-rules.ts'
import { PERSON_RULES } from './person-rules.ts'
import { ROOM_RULES } from './room-rules.ts'
import type { Rule } from './rule.ts'

/** The retention rule of each table. The clean-up follows this order. */
export const RETENTION: Readonly<Record<string, Rule>> = {
  ...PERSON_RULES,
  ...ROOM_RULES,
  ...MONEY_RULES,
  ...HOUSE_RULES,
}
