/** The cost of an argon2id hash. `memoryCost` is in KiB. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** The minimum cost that OWASP recommends for argon2id: 19 MiB and two passes, which take about 50 ms. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
