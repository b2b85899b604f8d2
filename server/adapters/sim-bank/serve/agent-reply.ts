/** A reply to a platform that buys our numbers, in the protocol's form. A bigint is written as a number. */
export type AgentReply = { status: 'SUCCESS' | 'ERROR' | 'NO_NUMBERS'; [field: string]: unknown }
