import type { Clock } from '#server/house/clock.ts'
import type { Pool } from '#server/house/db/pool.ts'
import type { YookassaApi } from './api.ts'
import type { ShopSettings } from './shop-settings.ts'

export type Shop = { code: string; settings: ShopSettings; api: YookassaApi; db: Pool; clock: Clock }
